/* The terminal: finds out what it can show, and provides a raw mode that is undone on every exit. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* ppoll */
#endif
#include "cli/shell/terminal.h"
#include "cli/shell/ranks.h"
#include "cli/shell/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

void terminal_look(struct cli *cli) {
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool dumb = term && !strcmp(term, "dumb"), colours = !(no_colour && *no_colour) && term && !dumb;
    setlocale(LC_CTYPE, "");
    cli->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    if (ranks_are_many(cli))
        screen_launched();
    cli->out_terminal = screen_is_terminal(stdout);
    cli->err_terminal = screen_is_terminal(stderr) && !dumb;
    cli->out_colour = colours && cli->out_terminal;
    cli->err_colour = colours && cli->err_terminal;
    screen_open();
}

void terminal_size(int *columns, int *rows) {
    struct winsize size;
    int width = screen_width(stdout);
    *columns = width < SCREEN_ANY ? width : 80;
    *rows = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row ? size.ws_row : 24;
}

/* The data that signal handlers need; this is the only static state here. */
static struct {
    struct termios before;
    volatile sig_atomic_t taken;
    volatile sig_atomic_t signal_number; /* the signal that was caught; 0: none */
    sigset_t waiting;                    /* signals that are blocked while a key is awaited */
} held;

/* Signals that ask the program to end. */
static const int polite[] = {SIGINT, SIGTERM, SIGHUP};

static const char enter_screen[] = "\033[?1049h\033[?25l\033[2J", leave_screen[] = "\033[0m\033[?25h\033[?1049l";

static void put_bytes(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written <= 0)
            return;
        bytes += written, count -= (size_t)written;
    }
}

/* Uses only calls that are safe in a signal handler. */
void terminal_give_back(void) {
    if (!held.taken)
        return;
    held.taken = 0;
    screen_raw(false);
    put_bytes(leave_screen, sizeof leave_screen - 1);
    tcsetattr(STDIN_FILENO, TCSANOW, &held.before);
}

static void restore_and_die(int signal_number) {
    terminal_give_back();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void set_raw(void) {
    struct termios raw = held.before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1, raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    put_bytes(enter_screen, sizeof enter_screen - 1);
    held.taken = 1;
    screen_raw(true);
}

static void stop_and_return(int signal_number) {
    struct sigaction again = {.sa_handler = stop_and_return}, plain = {.sa_handler = SIG_DFL};
    terminal_give_back();
    sigaction(signal_number, &plain, NULL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &one, NULL); /* the program stops here until SIGCONT */
    sigaction(signal_number, &again, NULL);
    set_raw();
}

static void note_signal(int signal_number) { held.signal_number = signal_number; }

/* A signal that changes only how the screen looks: it ends the waiting for a key. */
static void ignore_signal(int signal_number) { (void)signal_number; }

/* Blocks the polite signals everywhere but where a key is awaited, so that none is missed between two keys. Threads
 * that are started later block them too. */
static void catch_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof polite / sizeof *polite; i++) {
        struct sigaction action = {.sa_handler = note_signal};
        sigaction(polite[i], &action, NULL);
        sigaddset(&set, polite[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &held.waiting);
    for (size_t i = 0; i < sizeof polite / sizeof *polite; i++)
        sigdelset(&held.waiting, polite[i]);
}

int terminal_signal(void) {
    sigset_t pending;
    if (!held.signal_number && !sigpending(&pending))
        for (size_t i = 0; i < sizeof polite / sizeof *polite; i++)
            if (sigismember(&pending, polite[i]))
                return polite[i];
    return held.signal_number;
}

void terminal_end_by_signal(void) {
    int number = terminal_signal();
    if (!number)
        return;
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_SETMASK, &held.waiting, NULL);
}

bool terminal_take(bool catching) {
    static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGPIPE};
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &held.before))
        return false;
    sigprocmask(SIG_SETMASK, NULL, &held.waiting);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction action = {.sa_handler = restore_and_die};
        sigaction(fatal[i], &action, NULL);
    }
    struct sigaction stop = {.sa_handler = stop_and_return};
    sigaction(SIGTSTP, &stop, NULL);
    struct sigaction resize = {.sa_handler = ignore_signal};
    sigaction(SIGWINCH, &resize, NULL);
    if (catching)
        catch_signals();
    atexit(terminal_give_back);
    set_raw();
    return true;
}

/* Reads the byte after ESC [ or ESC O, which names an arrow key. Other keys are ignored. */
static int escape_key(void) {
    static const char letters[] = "ABCDHF";
    char bytes[2];
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, 20) <= 0 || read(STDIN_FILENO, bytes, 1) != 1 || (bytes[0] != '[' && bytes[0] != 'O'))
        return KEY_REDRAW;
    if (poll(&input, 1, 20) <= 0 || read(STDIN_FILENO, bytes + 1, 1) != 1)
        return KEY_REDRAW;
    const char *at = bytes[1] ? strchr(letters, bytes[1]) : NULL;
    return at ? KEY_UP + (int)(at - letters) : KEY_REDRAW;
}

int terminal_key(double seconds) {
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    unsigned char byte;
    int ready = ppoll(&input, 1, seconds < 0 ? NULL : &time, &held.waiting);
    if (held.signal_number)
        return -1;
    if (ready <= 0)
        return ready < 0 ? KEY_REDRAW : KEY_NONE;
    if (read(STDIN_FILENO, &byte, 1) != 1)
        return -1;
    return byte == 27 ? escape_key() : byte;
}
