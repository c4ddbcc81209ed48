// SPDX-License-Identifier: GPL-2.0
/* What a Raspberry Pi 4 says of itself in /proc/device-tree: the model in words and the code of its revision. */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

static const char model[] = "Raspberry Pi 4 Model B Rev 1.5"; /* its last byte, 0, belongs to it */
static const u8 revision[] = { 0x00, 0xc0, 0x31, 0x15 };
static struct proc_dir_entry *tree;

static int show_model(struct seq_file *to, void *unused)
{
	seq_write(to, model, sizeof(model));
	return 0;
}

static int show_revision(struct seq_file *to, void *unused)
{
	seq_write(to, revision, sizeof(revision));
	return 0;
}

static int __init begin(void)
{
	struct proc_dir_entry *system;

	tree = proc_mkdir("device-tree", NULL);
	system = tree ? proc_mkdir("system", tree) : NULL;
	if (system && proc_create_single("model", 0444, tree, show_model) &&
	    proc_create_single("linux,revision", 0444, system, show_revision))
		return 0;
	proc_remove(tree);
	return -ENOMEM;
}

static void __exit end(void)
{
	proc_remove(tree);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The identity of a Raspberry Pi");
