package io.pmstore.model.observe;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.model.shared.Operations;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;

/** A workload of the user's. */
public final class UserOperations implements Operations {
  private final PmStore store;
  private final ObservedWorkload workload;

  /**
   * Opens the store, and has the workload fill it.
   *
   * @param storage the name of a {@link Storage}
   * @param loader finds the class of the workload
   * @param className an {@link ObservedWorkload}
   * @param size how many records are loaded
   * @throws IllegalArgumentException if the class is not there, or no workload
   */
  public UserOperations(
      Path directory, String storage, ClassLoader loader, String className, Long size, Long seed)
      throws Exception {
    workload = workload(loader, className);
    if (workload.kinds().isEmpty()) {
      throw new IllegalArgumentException(className + " names no kind of operation in kinds()");
    }
    store = PmStore.open(directory, PmStoreOptions.defaults().storage(Storage.valueOf(storage)));
    try {
      workload.load(store, size, seed);
    } catch (Exception | Error e) {
      store.close();
      throw e;
    }
  }

  private static ObservedWorkload workload(ClassLoader loader, String className) throws Exception {
    try {
      Class<?> type = Class.forName(className, true, loader);
      if (!ObservedWorkload.class.isAssignableFrom(type)) {
        throw new IllegalArgumentException(
            "class %s does not implement %s"
                .formatted(className, ObservedWorkload.class.getName()));
      }
      return (ObservedWorkload) type.getConstructor().newInstance();
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      throw new IllegalArgumentException(
          "class %s cannot be loaded: %s is not there; name all directories and jars that it needs by --class-path"
              .formatted(className, e.getMessage()),
          e);
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
      throw new IllegalArgumentException(
          "class %s has to be public, with a public constructor without arguments"
              .formatted(className),
          e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "the constructor of %s has failed: %s".formatted(className, e.getCause()), e.getCause());
    }
  }

  @Override
  public List<String> kinds() {
    return workload.kinds();
  }

  @Override
  public int prepare() throws Exception {
    int kind = workload.prepare();
    if (kind >= workload.kinds().size()) {
      throw new IllegalStateException(
          "prepare() of %s returned %d, and there are %d kinds of operations"
              .formatted(workload.getClass().getName(), kind, workload.kinds().size()));
    }
    return kind;
  }

  @Override
  public void perform() throws Exception {
    workload.perform();
  }

  @Override
  public void close() {
    store.close();
  }
}
