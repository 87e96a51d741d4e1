package io.pmstore;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Opens stores. Found by {@link ServiceLoader}, so that the API needs no implementation at compile
 * time.
 */
public interface StoreProvider {

  /**
   * The implementation on the class path or module path.
   *
   * @return the provider
   * @throws PmStoreException if there is none
   */
  static StoreProvider installed() {
    return ServiceLoader.load(StoreProvider.class, StoreProvider.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new PmStoreException(
                    "no implementation of pmstore was found beside its API; depend on"
                        + " io.pmstore:pmstore, which brings both"));
  }

  /**
   * Opens or creates a store.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @return the open store
   */
  PmStore open(Path directory, PmStoreOptions options);

  /**
   * Walks the objects of a store and checks them, as {@link PmStore#verify(Path, PmStoreOptions)}
   * says.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @return what was found
   */
  VerificationReport verify(Path directory, PmStoreOptions options);

  /**
   * Says what a store would make of classes, as {@link PmStore#dryRun(Path, PmStoreOptions,
   * Class...)} says.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @param classes the classes of the program
   * @return what would become of them
   */
  EvolutionReport dryRun(Path directory, PmStoreOptions options, List<Class<?>> classes);
}
