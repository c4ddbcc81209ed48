// SPDX-License-Identifier: GPL-2.0
/*
 * I2C bus 1 of a Raspberry Pi with one display on it that only listens, as an SSD1306 does on two wires.
 *
 * What it is told is kept until somebody reads /sys/kernel/debug/oled_bus/heard: for each message its length, 16 bits in
 * the machine's order, and its bytes. What was read is forgotten. /sys/kernel/debug/oled_bus/lost counts messages for
 * which there was no room. Bytes take the time that they take on wires: nine beats each, at `baud` beats a second.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/kfifo.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define ROOM (1 << 22)

static ushort address = 0x3c;
module_param(address, ushort, 0444);
static uint baud = 100000;
module_param(baud, uint, 0644);
static bool unplugged;
module_param(unplugged, bool, 0644);

static DEFINE_MUTEX(busy);
static struct kfifo heard;
static void *room;
static u32 lost;
static struct dentry *folder;

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		struct i2c_msg *message = &messages[i];
		u16 length = message->len;
		u64 us = 9ULL * (length + 1) * 1000000 / max(baud, 1000u);

		if (unplugged || message->addr != address)
			return -EREMOTEIO; /* what i2c-bcm2835 says when nobody answers */
		usleep_range(us, us + 50);
		if (message->flags & I2C_M_RD) {
			memset(message->buf, 0, length);
			continue;
		}
		mutex_lock(&busy);
		if (kfifo_avail(&heard) < length + sizeof(length)) {
			lost++;
		} else {
			kfifo_in(&heard, &length, sizeof(length));
			kfifo_in(&heard, message->buf, length);
		}
		mutex_unlock(&busy);
	}
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .master_xfer = transfer, .functionality = functionality };
static struct i2c_adapter bus = { .owner = THIS_MODULE, .algo = &algorithm, .name = "bcm2835 (virtual)", .nr = 1 };

static ssize_t hear(struct file *file, char __user *to, size_t size, loff_t *at)
{
	unsigned int copied = 0;
	int wrong;

	mutex_lock(&busy);
	wrong = kfifo_to_user(&heard, to, size, &copied);
	mutex_unlock(&busy);
	return wrong ? wrong : copied;
}

static const struct file_operations hearing = { .owner = THIS_MODULE, .open = nonseekable_open, .read = hear };

static int __init begin(void)
{
	int wrong;

	room = vmalloc(ROOM);
	if (!room)
		return -ENOMEM;
	kfifo_init(&heard, room, ROOM);
	folder = debugfs_create_dir("oled_bus", NULL);
	debugfs_create_file("heard", 0400, folder, NULL, &hearing);
	debugfs_create_u32("lost", 0400, folder, &lost);
	wrong = i2c_add_numbered_adapter(&bus);
	if (wrong) {
		debugfs_remove(folder);
		vfree(room);
	}
	return wrong;
}

static void __exit end(void)
{
	i2c_del_adapter(&bus);
	debugfs_remove(folder);
	vfree(room);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An I2C bus with a display that remembers what it was told");
