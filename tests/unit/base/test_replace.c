/* Files replaced in one step: mode and links stay, a reader never finds a part, and a failure leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/replace.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void enter_folder(char *folder) {
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

static void leave_folder(const char *folder) {
    char command[256];
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void write_plain(const char *path, const char *text, mode_t mode) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    assert_int_equal(chmod(path, mode), 0);
}

static void expect_text(const char *path, const char *text) {
    char found[64] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    found[fread(found, 1, sizeof found - 1, stream)] = 0;
    fclose(stream);
    assert_string_equal(found, text);
}

static int count_entries(void) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static void replace_with(const char *path, const char *text) {
    struct replacement r;
    assert_true(replace_open(&r, path));
    fputs(text, r.stream);
    assert_true(replace_keep(&r));
    assert_null(r.stream);
}

static void test_new_and_old(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-replace-XXXXXX";
    struct stat status;
    enter_folder(folder);
    replace_with("new", "one");
    expect_text("new", "one");
    write_plain("old", "before", 0600);
    struct replacement r;
    assert_true(replace_open(&r, "./old"));
    fputs("after", r.stream);
    fflush(r.stream);
    expect_text("old", "before"); /* until it is complete */
    assert_true(replace_keep(&r));
    expect_text("old", "after");
    assert_int_equal(stat("old", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    if (!geteuid()) {
        assert_int_equal(chown("old", 12, 34), 0);
        replace_with("old", "again");
        assert_int_equal(stat("old", &status), 0);
        assert_int_equal(status.st_uid, 12);
        assert_int_equal(status.st_gid, 34);
    }
    assert_int_equal(count_entries(), 2);
    leave_folder(folder);
}

static void test_links(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-replace-XXXXXX", target[64];
    struct stat status;
    enter_folder(folder);
    assert_int_equal(mkdir("deep", 0700), 0);
    write_plain("deep/file", "before", 0640);
    assert_int_equal(symlink("file", "deep/near"), 0);
    assert_int_equal(symlink("deep/near", "far"), 0);
    snprintf(target, sizeof target, "%s/deep/not-there", folder);
    assert_int_equal(symlink(target, "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    replace_with("far", "after");
    expect_text("deep/file", "after");
    assert_int_equal(lstat("far", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat("deep/near", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat("deep/file", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    replace_with("dangling", "made");
    expect_text("deep/not-there", "made");
    struct replacement r;
    assert_false(replace_open(&r, "loop"));
    assert_int_equal(errno, ELOOP);
    assert_int_equal(count_entries(), 4);
    leave_folder(folder);
}

static void test_refused(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-replace-XXXXXX";
    struct replacement r;
    enter_folder(folder);
    assert_false(replace_open(&r, "no/such/folder"));
    assert_int_equal(errno, ENOENT);
    assert_false(replace_open(&r, "."));
    assert_int_equal(errno, EISDIR);
    write_plain("old", "before", 0644);
    assert_true(replace_open(&r, "old"));
    fputs("never seen", r.stream);
    replace_drop(&r);
    expect_text("old", "before");
    assert_int_equal(count_entries(), 1);
    assert_true(replace_open(&r, "/dev/full"));
    assert_true(r.in_place);
    fputs("nowhere", r.stream);
    assert_false(replace_keep(&r));
    assert_int_equal(errno, ENOSPC);
    leave_folder(folder);
}

/* Everything once more on a full disk, and where files cannot be written without a name. Both want a system of their
 * own, so a child of the test makes one; its exit status is the line that failed, 77 if it may not. */
#define DEMAND(condition)                                                                                              \
    if (!(condition))                                                                                                  \
    _exit(__LINE__ % 70 + 1)

static void expect_child(int child, const char *folder) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    umount2("disk", MNT_DETACH);
    leave_folder(folder);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_full_disk(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-replace-XXXXXX";
    enter_folder(folder);
    int child = fork();
    if (!child) {
        static char block[1 << 16];
        struct replacement r;
        if (mkdir("disk", 0700) || mount("none", "disk", "tmpfs", 0, "size=8k"))
            _exit(77);
        DEMAND(!chdir("disk"));
        FILE *old = fopen("old", "w");
        DEMAND(old && fputs("before", old) >= 0 && !fclose(old));
        DEMAND(replace_open(&r, "old"));
        fwrite(block, 1, sizeof block, r.stream);
        DEMAND(!replace_keep(&r) && errno == ENOSPC);
        DEMAND(count_entries() == 1);
        DEMAND((old = fopen("old", "r")) && fgets(block, sizeof block, old) && !strcmp(block, "before"));
        _exit(0);
    }
    expect_child(child, folder);
}

static void test_named_temporary(void **unused) {
    (void)unused;
    char folder[] = "/tmp/soloist-replace-XXXXXX";
    enter_folder(folder);
    write_plain("old", "before", 0600);
    int child = fork();
    if (!child) {
        struct replacement r;
        struct stat status;
        if (chroot(".")) /* there is no /proc in here */
            _exit(77);
        DEMAND(replace_open(&r, "old") && r.temporary);
        fputs("after", r.stream);
        DEMAND(replace_keep(&r));
        DEMAND(!stat("old", &status) && (status.st_mode & 07777) == 0600 && status.st_size == 5);
        DEMAND(replace_open(&r, "old"));
        DEMAND(count_entries() == 2);
        replace_drop(&r);
        DEMAND(count_entries() == 1);
        _exit(0);
    }
    expect_child(child, folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_and_old), cmocka_unit_test(test_links),           cmocka_unit_test(test_refused),
        cmocka_unit_test(test_full_disk),   cmocka_unit_test(test_named_temporary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
