/* A plugin of QEMU's user emulation: how many instructions a program has executed, written down where the program asks.
 *
 * It asks by closing a file descriptor that nobody has, `mark` or a little above: a system call that does nothing and
 * that QEMU shows to plugins. Each such call appends a line to `out`: which mark, and the instructions so far.
 *
 * QEMU counts blocks of instructions that are always executed whole, so the count is that of the program and does not
 * depend on the computer or on what else it does. The declarations are those of QEMU's plugin interface, for Debian
 * ships no header of it; PLUGIN_VERSION is 1 for QEMU before 9.0, and 2 from there on.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
typedef void (*on_translation)(plugin_id, struct qemu_plugin_tb *);
typedef void (*on_execution)(unsigned, void *);
typedef void (*on_syscall)(plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                           uint64_t, uint64_t);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, on_translation);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, on_execution, int, void *);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id, on_syscall);

enum { NO_REGISTERS = 0, MARKS = 256, CLOSE = 57 }; /* CLOSE: the number of close(2) on aarch64 */

int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t executed;
static uint64_t first_mark;
static FILE *out;

static void count(unsigned cpu, void *instructions)
{
    (void)cpu;
    executed += (uintptr_t)instructions;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(block, count, NO_REGISTERS, (void *)qemu_plugin_tb_n_insns(block));
}

static void called(plugin_id id, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                   uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number != CLOSE || a1 < first_mark || a1 >= first_mark + MARKS)
        return;
    fprintf(out, "%llu %llu\n", (unsigned long long)(a1 - first_mark), (unsigned long long)executed);
    fflush(out);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int k = 0; k < argc; k++) {
        if (strncmp(argv[k], "out=", 4) == 0)
            out = fopen(argv[k] + 4, "w");
        if (strncmp(argv[k], "mark=", 5) == 0)
            first_mark = strtoull(argv[k] + 5, NULL, 10);
    }
    if (out == NULL || first_mark == 0) {
        fprintf(stderr, "instructions: wants out=FILE that can be written, and mark=NUMBER\n");
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
