// The runtime that a kernel's program is linked with: `kernel describe`, `kernel REQUEST RESULT`.
#include "launch.h"

int main(int argc, char **argv) {
  if (argc == 2) return describe();
  if (argc != 3) return 2;
  return launch(argv[1], argv[2]);
}
