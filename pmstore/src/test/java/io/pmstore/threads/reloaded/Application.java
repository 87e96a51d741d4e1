package io.pmstore.threads.reloaded;

import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** Opens a store, uses it on threads of others, and closes it. */
public final class Application implements BiConsumer<Path, List<Executor>> {
  /** A constant of the application's. */
  public enum Kind {
    CAT,
    DOG {
      @Override
      boolean barks() {
        return true;
      }
    };

    boolean barks() {
      return false;
    }
  }

  /** A value of the application's. */
  public record Weight(int grams, Kind of) {}

  /** An ordinary object with fields that its methods use. */
  @Persistent
  public static class Pet {
    private String name = "";
    private Kind kind = Kind.CAT;
    private Weight weight = new Weight(0, Kind.CAT);
    private int loaded;

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public Kind getKind() {
      return kind;
    }

    public void setKind(Kind kind) {
      this.kind = kind;
    }

    int grams() {
      return weight.grams();
    }

    void fatten(int grams) {
      weight = new Weight(weight.grams() + grams, kind);
    }

    @OnLoad
    private void count() {
      loaded++;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Pet pet && pet.name.equals(name) && pet.kind == kind;
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** The order of the sorted map. */
  @Persistent
  public static class ByLength implements Comparator<String> {
    @Override
    public int compare(String a, String b) {
      return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
    }
  }

  /** The root. */
  @Persistent(root = "clinic")
  public static class Clinic {
    private List<Pet> pets = new ArrayList<>();
    private Map<String, Pet> byName = new HashMap<>();
    private Map<String, Pet> sorted = new TreeMap<>(new ByLength());

    public List<Pet> getPets() {
      return pets;
    }

    public Map<String, Pet> getByName() {
      return byName;
    }

    public Map<String, Pet> getSorted() {
      return sorted;
    }
  }

  /** Creates the application. */
  public Application() {}

  @Override
  public void accept(Path directory, List<Executor> threads) {
    try (PmStore store = PmStore.open(directory)) {
      use(store);
      for (Executor thread : threads) {
        CompletableFuture.runAsync(() -> use(store), thread).join();
      }
      store.gc();
    }
  }

  private static void use(PmStore store) {
    Clinic clinic = store.root(Clinic.class);
    Pet plain = new Pet();
    plain.setName("rex");
    plain.setKind(Kind.DOG);
    store.transaction(
        () -> {
          clinic.getPets().add(plain);
          Pet pet = clinic.getPets().getLast();
          pet.fatten(10);
          clinic.getByName().put(pet.getName(), pet);
          clinic.getSorted().put(pet.getName(), pet);
        });
    clinic.getPets().removeFirst();
    clinic.getByName().get("rex").setName("rex");
    int grams =
        store.snapshot(() -> clinic.getSorted().values().stream().mapToInt(Application::of).sum());
    if (grams != 10) {
      throw new AssertionError(grams + " grams");
    }
    try {
      store.transaction(
          () -> {
            clinic.getPets().clear();
            throw new IllegalStateException("rolled back");
          });
    } catch (IllegalStateException e) {
      return;
    }
    throw new AssertionError("no exception");
  }

  private static int of(Pet pet) {
    return pet.grams();
  }
}
