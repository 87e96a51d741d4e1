package io.pmstore.proxy.layer;

import io.pmstore.Persistent;

/** Has a field that {@link UserOfFields} uses, and one that nothing uses. */
@Persistent
class UsedBase {
  static int made;
  int used;
  int unused;

  int sum() {
    return used + unused + made;
  }
}
