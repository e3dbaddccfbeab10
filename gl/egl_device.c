/* EGL's device platform: a GPU without any window system. */
#include <stdio.h>

#include "gl/egl.h"

enum { MAX_DEVICES = 64 };

/* The assembly beyond the ARB profiles is NVIDIA's, and software comes last. */
static int rank(const char *extensions)
{
    if (gl_egl_has(extensions, "EGL_NV_device_cuda"))
        return 0;
    return gl_egl_has(extensions, "EGL_MESA_device_software") ? 2 : 1;
}

static bool open_device(EGLDeviceEXT device, int index, char *name, size_t size, struct gl_reason *reason)
{
    snprintf(name, size, "egl-device:%d", index);
    EGLDisplay display = gl_egl_display(EGL_PLATFORM_DEVICE_EXT, device, name, reason);
    return display != EGL_NO_DISPLAY && gl_egl_make_current(display, name, reason);
}

bool gl_egl_device_open(int index, char *name, size_t size, struct gl_reason *reason)
{
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLQUERYDEVICESTRINGEXTPROC query_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint count = 0;
    if (!query || !query_string || !gl_egl_has(extensions, "EGL_EXT_platform_device")) {
        gl_reason_add(reason, "egl-device", "no EGL_EXT_platform_device");
        return false;
    }
    if (!query(MAX_DEVICES, devices, &count) || count <= 0) {
        gl_reason_add(reason, "egl-device", "there is no device");
        return false;
    }
    if (index >= count) {
        gl_reason_add(reason, "egl-device", "there is no device of that number");
        return false;
    }
    if (index >= 0)
        return open_device(devices[index], index, name, size, reason);
    for (int wanted = 0; wanted <= 2; wanted++)
        for (EGLint i = 0; i < count; i++)
            if (rank(query_string(devices[i], EGL_EXTENSIONS)) == wanted
                && open_device(devices[i], i, name, size, reason))
                return true;
    return false;
}
