/* screen COLUMNS LOCALE [-a] [-k KEYS] COMMAND...: runs a command in a pseudo-terminal of that width and prints what
 * the screen shows in the end, line by line without a limit of height, and the exit status. -k: keys that are typed;
 * -a: lines for programs, which may have any width.
 *
 * At every moment it is checked that no line runs over the last column, that in the locale C nothing but ASCII is
 * written, and that only known control sequences are used. What breaks this is reported on standard error, and the exit
 * status is 1. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

enum { MOST_COLUMNS = 256, MOST_ROWS = 4000, HEIGHT = 24, WAIT_S = 120 };

struct page {
    wchar_t cells[MOST_ROWS][MOST_COLUMNS];
    bool goes_on[MOST_ROWS]; /* the screen itself broke the line: the next row belongs to it */
    int rows;                /* rows that were touched */
    int row, column;
};

static struct terminal {
    struct page main, other; /* other: the alternate screen */
    bool on_other, left_other, no_wrap;
    bool ascii, any_width;
    int columns, faults;
    char escape[32]; /* a control sequence that is not yet complete */
    size_t escape_length;
    mbstate_t state;
} terminal;

static struct page *page(void) { return terminal.on_other ? &terminal.other : &terminal.main; }

static void fault(const char *what) {
    struct page *p = page();
    if (terminal.faults++ < 5)
        fprintf(stderr, "%s, at column %d of: %.*ls\n", what, p->column + 1, terminal.columns, p->cells[p->row]);
}

static void to_row(struct page *p, int row) {
    p->row = row < 0 ? 0 : row < MOST_ROWS ? row : MOST_ROWS - 1;
    while (p->rows <= p->row)
        wmemset(p->cells[p->rows++], L' ', MOST_COLUMNS);
}

/* The first row that a real screen would still show. */
static int top(const struct page *p) { return p->rows > HEIGHT ? p->rows - HEIGHT : 0; }

static void clear(struct page *p, int row, int from) {
    wmemset(p->cells[row] + from, L' ', (size_t)(MOST_COLUMNS - from));
}

static void put(wchar_t character) {
    struct page *p = page();
    int width = wcwidth(character);
    if (width < 0)
        fault("a control character");
    if (width <= 0)
        return;
    if (terminal.ascii && character > 126)
        fault("not ASCII");
    if (p->column + width > terminal.columns && terminal.no_wrap)
        p->column = terminal.columns - width;
    if (p->column + width > terminal.columns) {
        if (!terminal.any_width)
            fault("a line is wider than the screen");
        p->goes_on[p->row] = true;
        to_row(p, p->row + 1);
        p->column = 0;
    }
    p->cells[p->row][p->column] = character;
    if (width == 2)
        p->cells[p->row][p->column + 1] = 0;
    p->column += width;
}

static void set_mode(int mode, bool on) {
    if (mode == 7)
        terminal.no_wrap = !on;
    else if (mode == 1049 && on) {
        terminal.other.rows = terminal.other.column = 0;
        terminal.on_other = true;
        to_row(&terminal.other, 0);
    } else if (mode == 1049) {
        terminal.left_other |= terminal.on_other;
        terminal.on_other = false;
    } else if (mode != 25)
        fault("an unknown mode");
}

static void obey(void) {
    struct page *p = page();
    char last = terminal.escape[terminal.escape_length - 1], *rest;
    bool private = terminal.escape[2] == '?';
    int first = (int)strtol(terminal.escape + (private ? 3 : 2), &rest, 10);
    int second = *rest == ';' ? atoi(rest + 1) : 0, count = first ? first : 1;
    if (private && (last == 'h' || last == 'l'))
        set_mode(first, last == 'h');
    else if (last == 'A' || last == 'B')
        to_row(p, p->row + (last == 'A' ? -count : count));
    else if (last == 'C')
        p->column = p->column + count < terminal.columns ? p->column + count : terminal.columns - 1;
    else if (last == 'D')
        p->column = p->column > count ? p->column - count : 0;
    else if (last == 'H')
        to_row(p, top(p) + (first ? first - 1 : 0)), p->column = second ? second - 1 : 0;
    else if (last == 'K')
        clear(p, p->row, first == 2 ? 0 : p->column);
    else if (last == 'J') {
        clear(p, p->row, first == 2 ? 0 : p->column);
        for (int row = first == 2 ? top(p) : p->row + 1; row < p->rows; row++)
            clear(p, row, 0);
    } else if (last != 'm')
        fault("an unknown control sequence");
}

/* Takes the next byte of a control sequence. */
static void take_escape(char byte) {
    terminal.escape[terminal.escape_length++] = byte;
    bool bracket = terminal.escape_length > 1 && terminal.escape[1] == '[';
    bool whole = terminal.escape_length > 2 && byte >= 0x40;
    if (whole)
        terminal.escape[terminal.escape_length] = 0, obey();
    else if (terminal.escape_length > 1 && !bracket)
        fault("an unknown control sequence");
    if (whole || (terminal.escape_length > 1 && !bracket) || terminal.escape_length + 2 > sizeof terminal.escape)
        terminal.escape_length = 0;
}

static void take(char byte) {
    struct page *p = page();
    wchar_t character;
    if (terminal.escape_length || byte == '\033') {
        take_escape(byte);
    } else if (byte == '\n') {
        to_row(p, p->row + 1);
    } else if (byte == '\r') {
        p->column = 0;
    } else if (byte == '\b') {
        p->column -= p->column > 0;
    } else {
        size_t size = mbrtowc(&character, &byte, 1, &terminal.state);
        if (size == (size_t)-1) {
            fault("not UTF-8");
            memset(&terminal.state, 0, sizeof terminal.state);
        } else if (size != (size_t)-2) {
            put(character);
        }
    }
}

static void print_page(const struct page *p) {
    int rows = p->rows;
    for (int row = 0; row < rows; row++) {
        int end = MOST_COLUMNS;
        while (end > 0 && (p->cells[row][end - 1] == L' ' || !p->cells[row][end - 1]))
            end--;
        if (!end && row + 1 == rows)
            break; /* the line on which the cursor waits */
        for (int column = 0; column < end; column++)
            if (p->cells[row][column])
                printf("%lc", (wint_t)p->cells[row][column]);
        if (!p->goes_on[row])
            putchar('\n');
    }
}

static pid_t start(int *master, const char *locale, char **words) {
    struct winsize size = {.ws_row = HEIGHT, .ws_col = (unsigned short)terminal.columns};
    pid_t child = forkpty(master, NULL, NULL, &size);
    if (child)
        return child;
    struct termios quiet;
    tcgetattr(0, &quiet);
    quiet.c_lflag &= ~(tcflag_t)ECHO; /* keys typed before they are asked for are not seen */
    tcsetattr(0, TCSANOW, &quiet);
    setenv("LC_ALL", locale, 1);
    setenv("TERM", "xterm", 1);
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    execvp(words[0], words);
    perror(words[0]);
    _exit(127);
}

int main(int count, char **words) {
    const char *keys = NULL;
    int option, master, status;
    setlocale(LC_CTYPE, "C.UTF-8");
    terminal.columns = count > 3 ? atoi(words[1]) : 0;
    if (terminal.columns < 20 || terminal.columns > MOST_COLUMNS - 2)
        return fputs("usage: screen COLUMNS LOCALE [-a] [-k KEYS] COMMAND...\n", stderr), 2;
    const char *locale = words[2];
    terminal.ascii = !strcmp(locale, "C");
    for (optind = 3; (option = getopt(count, words, "+ak:")) != -1;)
        option == 'a' ? (void)(terminal.any_width = true) : (void)(keys = optarg);
    to_row(&terminal.main, 0);
    pid_t child = start(&master, locale, words + optind);
    if (child < 0)
        return perror("forkpty"), 2;
    alarm(WAIT_S); /* a command that never ends ends this program too */
    char bytes[4096];
    for (bool ended = false;;) {
        ssize_t got = read(master, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 && ended)
            break;
        if (got <= 0) { /* the last bytes may come after the first error */
            waitpid(child, &status, 0);
            ended = true;
            continue;
        }
        if (keys && write(master, keys, strlen(keys)) < 0) /* typed when something is seen */
            return perror("keys"), 2;
        keys = NULL;
        for (ssize_t i = 0; i < got; i++)
            take(bytes[i]);
    }
    if (terminal.left_other || terminal.on_other) {
        print_page(&terminal.other);
        puts("-- after it:");
    }
    print_page(&terminal.main);
    printf("-- exit status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return terminal.faults > 0;
}
