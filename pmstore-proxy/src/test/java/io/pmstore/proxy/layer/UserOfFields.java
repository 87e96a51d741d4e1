package io.pmstore.proxy.layer;

import io.pmstore.Persistent;

/** Classes that use fields of other classes directly, each in a class file of its own. */
final class UserOfFields {
  private UserOfFields() {}

  static int use(UsedBase base) {
    base.used = 3;
    return UsedBase.made;
  }

  /** A plain subclass could be given a persistent object. */
  @Persistent
  static class ByPlainSubclass extends ByPlainSubclassBase {}

  /** A static method is not copied where it is. */
  @Persistent
  static class ByStaticMethod extends ByStaticMethodBase {}

  /** A constructor is not copied, and it is called. */
  @Persistent
  static class ByConstructor extends ByConstructorBase {}

  /** A constructor is not copied, and nobody calls it. */
  @Persistent
  static class ByUncalledConstructor extends ByUncalledConstructorBase {}

  static Object called(ByConstructorBase base) {
    return new ConstructorSubclass(base);
  }

  /** Only plain objects are used. */
  @Persistent
  static class ByItself extends ByItselfBase {}
}

class ByPlainSubclassBase {
  int x;

  int read() {
    return x;
  }
}

class PlainSubclass extends ByPlainSubclassBase {
  boolean isSame(ByPlainSubclassBase other) {
    return x == other.x;
  }
}

@Persistent
class ByStaticMethodBase {
  int x;

  int read() {
    return x;
  }
}

@Persistent
class StaticMethodSubclass extends ByStaticMethodBase {
  static int of(ByStaticMethodBase other) {
    return other.x;
  }
}

@Persistent
class ByConstructorBase {
  int x;

  int read() {
    return x;
  }
}

@Persistent
class ConstructorSubclass extends ByConstructorBase {
  ConstructorSubclass(ByConstructorBase other) {
    x = other.x;
  }
}

class ByItselfBase {
  int x;

  int read() {
    return x;
  }
}

class ItselfSubclass extends ByItselfBase {
  ItselfSubclass() {
    x = 4;
  }

  int twice(ItselfSubclass other) {
    return x + other.x + super.x;
  }
}
