#!/usr/bin/python3
"""A server of desktop notifications (org.freedesktop.Notifications 1.2) that draws nothing, for
tests: notification_server.py [CAPABILITY...]

Beside what the specification names it has Press and Dismiss, which are what a person does, and
Shown and Count. It needs Debian's python3-dbus and python3-gi.
"""

import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


class Server(dbus.service.Object):
    def __init__(self, bus, capabilities):
        super().__init__(dbus.service.BusName(NAME, bus, do_not_queue=True), PATH)
        self.capabilities = capabilities
        self.shown = {}
        self.count = 0

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, title, body, actions, hints, timeout):
        self.count += 1
        number = int(replaces) if int(replaces) in self.shown else self.count
        self.shown[number] = {
            "app": str(app), "title": str(title), "body": str(body),
            "actions": [str(one) for one in actions], "urgency": int(hints.get("urgency", 1)),
            "timeout": int(timeout),
        }
        return number

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        if self.shown.pop(int(number), None) is None:
            raise dbus.exceptions.DBusException("there is none of that number")
        self.NotificationClosed(number, 3)

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return dbus.Array(self.capabilities, signature="s")

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("test", "Linnet", "1", "1.2")

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.method(NAME, in_signature="us")
    def Press(self, number, action):
        self.ActionInvoked(number, action)

    @dbus.service.method(NAME, in_signature="u")
    def Dismiss(self, number):
        self.shown.pop(int(number), None)
        self.NotificationClosed(number, 2)

    @dbus.service.method(NAME, out_signature="s")
    def Shown(self):
        return json.dumps(self.shown)

    @dbus.service.method(NAME, out_signature="u")
    def Count(self):
        return self.count


if __name__ == "__main__":
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    server = Server(dbus.SessionBus(), sys.argv[1:] or ["actions", "body", "body-markup"])
    GLib.MainLoop().run()
