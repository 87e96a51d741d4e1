package io.pmstore.proxy.layer;

import io.pmstore.Persistent;

/** Nobody in the code source calls its constructor. */
@Persistent
class UncalledConstructor extends ByUncalledConstructorBase {
  UncalledConstructor(ByUncalledConstructorBase other) {
    x = other.x;
    text = other.text;
  }
}
