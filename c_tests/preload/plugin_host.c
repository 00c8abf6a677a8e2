// Loads the client as a plugin with RTLD_LOCAL, so that RTLD_NEXT does not find its libcublas.so.13.
//     plugin_host PLUGIN.so vendor|tephra
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*client)(int, char **) = NULL;
    if (plugin) *(void **)&client = dlsym(plugin, "client");
    if (!client) {
        fprintf(stderr, "plugin_host: %s\n", argc > 1 ? dlerror() : "no plugin named");
        return 1;
    }
    return client(argc - 1, argv + 1);
}
