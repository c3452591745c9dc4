"""What a file has beside its bytes, given to another one; and whether somebody is writing it."""

import contextlib
import errno
import fcntl
import os
import signal
import stat
import sys
from pathlib import Path

_OF_THE_SYSTEM = ("security.", "trusted.")
"""Attributes that the kernel gives to a new file itself, and lets few others set."""
REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "9p", "afs", "gfs2", "ocfs2"})
"""File systems that refuse a lease for reasons of their own."""
_ACL, _XATTR = 1, 4
"""COPYFILE_ACL and COPYFILE_XATTR of macOS."""


def copy_attributes(source: int, target: int) -> None:
    """Give an open file rights, owner and extended attributes of another, access lists too.

    The owner stays this user where only root may give files away. Raises OSError.
    """
    had, has = os.fstat(source), os.fstat(target)
    if had.st_uid != has.st_uid:
        with contextlib.suppress(PermissionError):
            os.fchown(target, had.st_uid, -1)
    if had.st_gid != has.st_gid:
        with contextlib.suppress(PermissionError):
            os.fchown(target, -1, had.st_gid)
    os.fchmod(target, stat.S_IMODE(had.st_mode))
    if sys.platform == "linux":
        _copy_extended(source, target)
    elif sys.platform == "darwin":
        import ctypes

        if ctypes.CDLL(None, use_errno=True).fcopyfile(source, target, None, _ACL | _XATTR):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


def is_open_for_writing(descriptor: int) -> bool:
    """Whether another program has this file open to write; False where nobody can know."""
    if sys.platform != "linux":
        return False
    try:  # a lease is given where there is no writer, and given back at once
        # Who opens it to write meanwhile is announced by a signal, and most of them kill.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN and file_system_of(descriptor) not in REMOTE
    return False


def file_system_of(descriptor: int) -> str:
    """The kind of file system that has an open file, as Linux calls it; "" where it does not say.

    Raises OSError.
    """
    device = os.fstat(descriptor).st_dev
    mark = f"{os.major(device)}:{os.minor(device)}"
    mounts = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    for fields in map(str.split, mounts.splitlines()):
        if fields[2] == mark:
            return fields[fields.index("-") + 1]
    return ""


if sys.platform == "linux":

    def _copy_extended(source: int, target: int) -> None:
        try:
            wanted, there = os.listxattr(source), os.listxattr(target)
        except OSError as error:
            if error.errno in (errno.ENOTSUP, errno.ENOSYS):
                return
            raise
        for name in wanted:
            try:
                os.setxattr(target, name, os.getxattr(source, name))
            except OSError:
                if not name.startswith(_OF_THE_SYSTEM):
                    raise
        for name in set(there) - set(wanted):  # what the folder gives to new files
            if not name.startswith(_OF_THE_SYSTEM):
                os.removexattr(target, name)
