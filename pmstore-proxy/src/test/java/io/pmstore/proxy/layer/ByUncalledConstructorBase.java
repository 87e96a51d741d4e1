package io.pmstore.proxy.layer;

import io.pmstore.Persistent;

/** A constructor of another class, which nobody calls, reads these fields. */
@Persistent
class ByUncalledConstructorBase {
  int x;
  String text = "one";

  String read() {
    return x + text;
  }
}
