package io.pmstore.proxy.bean;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the callers of the constructors and static methods of a class that use fields of objects
 * passed to them. Searches the code source of the class; docs/classes.md says what holds for other
 * callers.
 */
final class Callers {
  private final Refusal refusal;
  private final ClassCode code;
  private final ClassFiles files;

  /** A constructor or a static method, with its class. */
  private record Member(Class<?> owner, String key) {}

  Callers(Refusal refusal, ClassCode code, ClassFiles files) {
    this.refusal = refusal;
    this.code = code;
    this.files = files;
  }

  /**
   * Searches for a call that may pass a persistent object to a constructor or a static method of
   * the class. {@code key} is its name and descriptor. Returns the caller, as a part of a sentence;
   * an empty text if the callers cannot be known; null if there is none.
   */
  @Nullable String of(String key) {
    return of(code.type(), key);
  }

  /** Does the same for a constructor of another class of the code source. */
  @Nullable String of(Class<?> owner, String constructor) {
    return refusal.trustsFields() ? null : search(owner, constructor);
  }

  /** Does the same for a package-private method, called on any object. */
  @Nullable String ofPackagePrivate(String key) {
    return search(code.type(), key);
  }

  private @Nullable String search(Class<?> owner, String key) {
    CodeSourceFields source = CodeSources.around(code.type());
    if (source == null) {
      return "";
    }
    Set<Member> seen = new HashSet<>();
    Deque<Member> open = new ArrayDeque<>(Set.of(new Member(owner, key)));
    while (!open.isEmpty()) {
      Member called = open.remove();
      if (seen.add(called)) {
        Set<String> users = new TreeSet<>(source.calling(called.owner().getName()));
        users.add(called.owner().getName());
        for (String user : users) {
          String found = caller(called, user, open);
          if (found != null) {
            return found;
          }
        }
      }
    }
    return null;
  }

  private @Nullable String caller(Member called, String user, Deque<Member> open) {
    Class<?> type = ClassFiles.classOrNull(user, code.type().getClassLoader());
    if (type == null) {
      return null;
    }
    ClassModel model = files.of(type);
    for (MethodModel method : model.methods()) {
      for (CodeUse use : CodeUse.withReceivers(method)) {
        boolean calls =
            switch (use) {
              case CodeUse.Call call -> isCalled(called, call.owner(), call.method());
              case CodeUse.Handle handle -> isCalled(called, handle.owner(), handle.method());
              default -> false;
            };
        if (calls && isPassedOn(type, method, called, use)) {
          open.add(new Member(type, ClassCode.key(method)));
        } else if (calls && !isRedirected(type, method, called, use)) {
          return ", and %s of %s calls it%s"
              .formatted(
                  method.methodName().equalsString("<init>")
                      ? "a constructor"
                      : method.methodName().equalsString("<clinit>")
                          ? "the static initializer"
                          : "method " + method.methodName().stringValue(),
                  user,
                  ClassFiles.place(model, use.line()));
        }
      }
    }
    return null;
  }

  /** Returns true if the caller is copied, so that its copy calls the copy of a static method. */
  private boolean isRedirected(Class<?> type, MethodModel method, Member called, CodeUse use) {
    return called.owner() == code.type()
        && code.isCopied(type.getName(), method)
        && code.isOwnHelper(use.owner(), called.key());
  }

  /**
   * Returns true if a constructor passes its parameters to another constructor of the same object.
   */
  private static boolean isPassedOn(Class<?> type, MethodModel method, Member called, CodeUse use) {
    return method.methodName().equalsString("<init>")
        && called.key().startsWith("<init>")
        && called.owner().isAssignableFrom(type)
        && use instanceof CodeUse.Call call
        && call.onThis();
  }

  private boolean isCalled(Member called, String owner, String key) {
    if (!key.equals(called.key())) {
      return false;
    }
    if (owner.equals(called.owner().getName())) {
      return true;
    }
    Class<?> type =
        key.startsWith("<init>")
            ? null
            : ClassFiles.classOrNull(owner, code.type().getClassLoader());
    return type != null && called.owner().isAssignableFrom(type);
  }
}
