#: hoard memory that processes could share
import mmap

hold = []


def step(n):
    m = mmap.mmap(-1, 16 << 20)
    m.write(BLOCK)
    hold.append(m)


tried("shared anonymous", hoard, step)
#: hoard shared memory and take it out of sight
import mmap

hold = []


def step(n):
    m = mmap.mmap(-1, 16 << 20)
    m.write(BLOCK)
    at = ctypes.addressof(ctypes.c_char.from_buffer(m))
    libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(16 << 20), 4)  # not needed, here
    hold.append(m)


tried("shared anonymous, not mapped", hoard, step)
#: hoard files in memory that have no name
hold = []


def step(n):
    fd = libc.memfd_create(b"x", 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "memfd_create")
    for _ in range(16):
        os.write(fd, BLOCK[: 1 << 20])
    hold.append(fd)


tried("memfd", hoard, step)
#: hoard files in memory on their way through a socket
a, b = socket.socketpair()


def step(n):
    fd = libc.memfd_create(b"x", 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "memfd_create")
    for _ in range(16):
        os.write(fd, BLOCK[: 1 << 20])
    socket.send_fds(a, [b"x"], [fd])
    os.close(fd)


tried("memfd in flight", hoard, step)
#: hoard segments of shared memory that nobody has attached
libc.shmat.restype = ctypes.c_void_p


def step(n):
    seg = libc.shmget(0, 16 << 20, 0o1600)
    if seg < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    at = libc.shmat(seg, None, 0)
    ctypes.memset(at, 1, 16 << 20)
    libc.shmdt(ctypes.c_void_p(at))


tried("segments", hoard, step)
#: hoard memory in the buffers of sockets
hold = []


def step(n):
    if os.fork() == 0:
        for _ in range(50):
            pair = socket.socketpair()
            for s in pair:
                s.setblocking(False)
                try:
                    while True:
                        s.send(BLOCK[: 64 << 10])
                except OSError:
                    pass
            hold.append(pair)
        time.sleep(3)
        os._exit(0)


tried("socket buffers", hoard, step, 55)
#: hide from whoever counts memory
libc.prctl(4, 0, 0, 0, 0)  # nobody may look into this process
hold = []


def step(n):
    hold.append(bytearray(BLOCK))


tried("private, not dumpable", hoard, step)
#: set the limits of the box's first process
import resource

for what in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_CPU):
    tried("limit %d" % what, lambda: resource.prlimit(1, what) and "read")
#: set the limits of the parent
tried("limit", call, 302, os.getppid() or 1, 7, struct.pack("QQ", 3, 3), None)
tried("raw", call, 302, ctypes.c_long(1), 7, struct.pack("QQ", 3, 3), None)
#: have a crash handed to the host
import resource

try:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (OSError, ValueError):
    pass
tried(
    "core limit",
    lambda: resource.getrlimit(resource.RLIMIT_CORE) != (1, 1) and resource.getrlimit(resource.RLIMIT_CORE),
)
libc.syscall(ctypes.c_long(160), ctypes.c_long(4), struct.pack("QQ", 0, 0)) if os.uname().machine == "x86_64" else None
tried(
    "core limit, the old way",
    lambda: resource.getrlimit(resource.RLIMIT_CORE) != (1, 1) and resource.getrlimit(resource.RLIMIT_CORE),
)
#: make memory that nobody else can read
tried("memfd_secret", call, 447, 0)
#: submit to the kernel by the old asynchronous calls
tried("io_setup", call, 206, 8, ctypes.create_string_buffer(8))
#: reach for other new and odd calls
tried("process_madvise", call, 440, 0, 0, 0, 0, 0)
tried("process_mrelease", call, 448, 0, 0)
tried("open_tree_attr", call, 467, -100, b"/", 1, 0, 0)
tried("listmount", call, 458, ctypes.create_string_buffer(64), ctypes.create_string_buffer(64), 8, 0)
#: hoard memory after the first thread has ended
import _thread

hold = []


def rest():
    time.sleep(0.1)
    tried("first thread gone", hoard, lambda n: hold.append(bytearray(BLOCK)))
    os._exit(0)


_thread.start_new_thread(rest, ())
libc.syscall.restype = None
libc.syscall(ctypes.c_long(60 if os.uname().machine == "x86_64" else 93), ctypes.c_long(0))
#: hoard shared memory and keep a page of each piece
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]


def step(n):
    at = libc.mmap(None, 16 << 20, 3, 0x21, -1, 0)
    if at is None or at == 2**64 - 1:
        raise OSError(ctypes.get_errno(), "mmap")
    ctypes.memset(at, 1, 16 << 20)
    libc.munmap(ctypes.c_void_p(at + 4096), ctypes.c_size_t((16 << 20) - 4096))


tried("shared, trimmed", hoard, step)
#: hoard shared memory by mapping zeroes
import mmap

hold = []


def step(n):
    with open("/dev/zero", "r+b") as f:
        m = mmap.mmap(f.fileno(), 16 << 20)
    m.write(BLOCK)
    hold.append(m)


tried("zeroes", hoard, step)


#: hoard memory in sets of semaphores
def step(n):
    for _ in range(8):
        if libc.semget(0, 32000, 0o600) < 0:
            raise OSError(ctypes.get_errno(), "semget")


tried("semaphores", hoard, step)
#: hoard memory in page tables
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]


def step(n):
    at = libc.mmap(None, 8 << 30, 1, 0x4022, -1, 0)
    for offset in range(0, 8 << 30, 2 << 20):
        ctypes.c_char.from_address(at + offset).value


tried("page tables", hoard, step)


#: hoard huge pages in pipes
class Piece(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]


libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
hold, huge = [], 2 << 20


def step(n):
    r, w = os.pipe()
    hold.append((r, w))
    for _ in range(8):
        at = libc.mmap(None, 2 * huge, 3, 0x22, -1, 0)
        whole = (at + huge - 1) & ~(huge - 1)
        libc.madvise(ctypes.c_void_p(whole), ctypes.c_size_t(huge), 14)
        ctypes.memset(whole, 1, huge)
        if libc.vmsplice(w, ctypes.byref(Piece(whole, 4096)), ctypes.c_ulong(1), 2) != 4096:
            raise OSError(ctypes.get_errno(), "vmsplice")
        libc.munmap(ctypes.c_void_p(at), ctypes.c_size_t(2 * huge))


tried("pipes", hoard, step)
#: hoard memory in the buffers of connections
hold = []
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(50)


def step(n):
    sent = 0
    while sent < 16 << 20 and len(hold) < 120:
        c = socket.create_connection(listener.getsockname())
        pair = (c, listener.accept()[0])
        hold.append(pair)
        for s in pair:
            s.setblocking(False)
            try:
                while True:
                    sent += s.send(BLOCK[: 1 << 20])
            except OSError:
                pass
    if sent < 16 << 20:
        raise OSError("no more connections")


tried("connections", hoard, step)
#: use up what this user has of watches on files
made = 0
while made < 1000 and libc.inotify_init() >= 0:
    made += 1
tried("watches", lambda: made > 40 and made)
