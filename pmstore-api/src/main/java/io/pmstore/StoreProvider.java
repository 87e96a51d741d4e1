package io.pmstore;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Opens stores; the implementation of the static methods of {@link PmStore}, which programs call
 * instead. {@link ServiceLoader} finds it, so that programs compile against the API alone. Safe for
 * use by any number of threads.
 */
public interface StoreProvider {

  /**
   * Returns the implementation on the class path or module path.
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
   * Opens or creates a store: see {@link PmStore#open(Path, PmStoreOptions)}, which has the
   * exceptions too.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @return the open store
   */
  PmStore open(Path directory, PmStoreOptions options);

  /**
   * Verifies a store: see {@link PmStore#verify(Path, PmStoreOptions, VerificationProgress)}.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @param progress called by the calling thread
   * @return what was found
   */
  VerificationReport verify(Path directory, PmStoreOptions options, VerificationProgress progress);

  /**
   * Rebuilds lost files of a store: see {@link PmStore#repair}.
   *
   * @param directory where the store is
   * @return what was found and replaced
   */
  RepairReport repair(Path directory);

  /**
   * Reports how a store fits the program's classes: see {@link PmStore#dryRun(Path, PmStoreOptions,
   * Class...)}.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @param classes the classes of the program
   * @return what would become of them
   */
  EvolutionReport dryRun(Path directory, PmStoreOptions options, List<Class<?>> classes);

  /**
   * Checks classes without a store: see {@link PmStore#check(PmStoreOptions, Class...)}.
   *
   * @param options the value types that stores are opened with
   * @param classes the classes of the program
   * @return the refusals and warnings
   */
  ClassReport check(PmStoreOptions options, List<Class<?>> classes);
}
