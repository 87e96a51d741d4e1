package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The commit stores what plain objects hold when the transaction that converted them commits. */
class LateChangesTest extends StoreTest {

  /** With helpers as most domain models have them. */
  @Persistent(root = "owner")
  static class Owner {
    private String name = "";
    private final List<Pet> pets = new ArrayList<>();
    private final Map<String, Object> more = new HashMap<>();

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }

    List<Pet> getPets() {
      return pets;
    }

    Map<String, Object> getMore() {
      return more;
    }

    void addPet(Pet pet) {
      pets.add(pet);
      pet.setOwner(this);
    }

    Pet addNamed(String petName) {
      Pet pet = new Pet();
      addPet(pet);
      pet.setName(petName);
      pet.getVisits().add("first");
      pet.weights()[1] = 5;
      return pet;
    }
  }

  /** Has a back reference. */
  @Persistent
  static class Pet {
    private @Nullable Owner owner;
    private String name = "";
    private int age;
    private int[] weights = new int[2];
    private Set<String> visits = new HashSet<>();
    private @Nullable Pet friend;

    @Nullable Owner getOwner() {
      return owner;
    }

    void setOwner(@Nullable Owner owner) {
      this.owner = owner;
    }

    String getName() {
      return name;
    }

    void setName(String name) {
      this.name = name;
    }

    int getAge() {
      return age;
    }

    void setAge(int age) {
      this.age = age;
    }

    int[] weights() {
      return weights;
    }

    Set<String> getVisits() {
      return visits;
    }

    void setVisits(Set<String> visits) {
      this.visits = visits;
    }

    @Nullable Pet getFriend() {
      return friend;
    }

    void setFriend(@Nullable Pet friend) {
      this.friend = friend;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Pet other && Objects.equals(getName(), other.getName());
    }

    @Override
    public int hashCode() {
      return Objects.hash(name);
    }
  }

  @Test
  void helpersSetBackReferencesInsideAndOutsideOfTransactions() {
    Owner owner = store().root(Owner.class);
    owner.addPet(new Pet());
    store().transaction(() -> owner.addPet(new Pet()));
    owner.addNamed("Leo");
    store().transaction(() -> owner.addNamed("Rosy"));
    reopen();
    Owner again = store().root(Owner.class);
    assertEquals(4, again.getPets().size());
    for (Pet pet : again.getPets()) {
      assertSame(again, pet.getOwner());
    }
    for (Pet pet : again.getPets().subList(2, 4)) {
      assertEquals(pet.getName().equals("Leo") ? "Leo" : "Rosy", pet.getName());
      assertEquals(Set.of("first"), pet.getVisits());
      assertEquals("[0, 5]", Arrays.toString(pet.weights()));
    }
  }

  @Test
  void whatIsAddedToAnOriginalCollectionIsStored() {
    Owner owner = store().root(Owner.class);
    store()
        .transaction(
            () -> {
              List<Object> list = new ArrayList<>();
              owner.getMore().put("list", list);
              list.add(1);
              list.add(new Pet());
              ((Pet) list.get(1)).setName("added");
              Map<String, Object> map = new TreeMap<>();
              owner.getMore().put("map", map);
              map.put("deep", new ArrayList<>(List.of(2)));
              Set<Pet> set = new HashSet<>();
              owner.getMore().put("set", set);
              set.add(new Pet());
            });
    reopen();
    Map<String, Object> more = store().root(Owner.class).getMore();
    List<?> list = (List<?>) more.get("list");
    assertNotNull(list);
    assertEquals(1, list.get(0));
    assertEquals("added", ((Pet) list.get(1)).getName());
    assertEquals(Map.of("deep", List.of(2)), more.get("map"));
    assertTrue(((Collection<?>) Objects.requireNonNull(more.get("set"))).contains(new Pet()));
  }

  /** Changes of many kinds to originals, at random; the twins hold the same in the end. */
  @Test
  void randomChangesOfOriginalsArrive() {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      List<Object> list = new ArrayList<>();
      Map<Object, Object> map = new HashMap<>();
      Set<Object> sorted = new TreeSet<>();
      Deque<Object> deque = new ArrayDeque<>();
      Pet pet = new Pet();
      Runnable change =
          () -> {
            switch (random.nextInt(12)) {
              case 0 -> list.add(random.nextInt(9));
              case 1 -> list.addFirst(pet);
              case 2 -> list.clear();
              case 3 -> map.put(random.nextInt(9), random.nextInt());
              case 4 -> map.remove(random.nextInt(9));
              case 5 -> sorted.add(random.nextInt(9));
              case 6 -> deque.addLast(random.nextInt(9));
              case 7 -> deque.pollFirst();
              case 8 -> pet.setAge(random.nextInt());
              case 9 -> pet.weights()[0]++;
              case 10 -> pet.setVisits(new HashSet<>(Set.of("v" + random.nextInt(9))));
              default -> pet.getVisits().add("w" + random.nextInt(9));
            }
          };
      Runnable changes =
          () -> {
            for (int i = random.nextInt(6); i > 0; i--) {
              change.run();
            }
          };
      changes.run();
      Owner owner = store().create(Owner.class);
      store()
          .transaction(
              () -> {
                owner.getMore().put("all", List.of(list, map, sorted, deque, pet));
                changes.run();
                owner.getMore().put("again", list);
                owner.getMore().put("pet", pet);
                changes.run();
              });
      List<?> all = (List<?>) Objects.requireNonNull(owner.getMore().get("all"));
      String message = "pmstore.seed=" + seed;
      assertEquals(list, all.get(0), message);
      assertEquals(map, all.get(1), message);
      assertEquals(sorted, all.get(2), message);
      assertEquals(new ArrayList<>(deque), new ArrayList<>((Deque<?>) all.get(3)), message);
      Pet twin = (Pet) all.get(4);
      assertSame(twin, owner.getMore().get("pet"), message);
      assertEquals(pet.getAge(), twin.getAge(), message);
      assertEquals(pet.getVisits(), twin.getVisits(), message);
      assertEquals(Arrays.toString(pet.weights()), Arrays.toString(twin.weights()), message);
      owner.getMore().put("unchanged", list); // else it would be refused
    }
  }

  @Test
  void aChangeShowsWhenTheOriginalIsAssignedAgain() {
    Owner owner = store().root(Owner.class);
    store()
        .transaction(
            () -> {
              Pet pet = new Pet();
              owner.getMore().put("a", pet);
              pet.setAge(7);
              pet.getVisits().add("x");
              owner.getMore().put("b", pet);
              Pet twin = (Pet) Objects.requireNonNull(owner.getMore().get("a"));
              assertEquals(7, twin.getAge());
              assertEquals(Set.of("x"), twin.getVisits());
            });
  }

  @Test
  void differentPropertiesOfOriginalAndTwinMayChange() {
    Owner owner = store().root(Owner.class);
    store()
        .transaction(
            () -> {
              Pet pet = new Pet();
              owner.getPets().add(pet);
              Pet twin = owner.getPets().getFirst();
              pet.setAge(7);
              twin.setName("twin");
              pet.setFriend(pet);
              twin.setOwner(owner);
              pet.setOwner(owner);
            });
    Pet twin = owner.getPets().getFirst();
    assertEquals(7, twin.getAge());
    assertEquals("twin", twin.getName());
    assertSame(twin, twin.getFriend());
    assertSame(owner, twin.getOwner());
  }

  @Test
  void whatWasChangedInBothIsRefusedAndNothingIsStored() {
    Owner owner = store().root(Owner.class);
    String message =
        assertThrows(
                NotPersistableException.class,
                () ->
                    store()
                        .transaction(
                            () -> {
                              Pet pet = new Pet();
                              owner.getPets().add(pet);
                              owner.getPets().getFirst().setAge(1);
                              pet.setAge(2);
                            }))
            .getMessage();
    assertTrue(message.startsWith("pet.age was changed in a plain object after its"), message);
    message =
        assertThrows(
                NotPersistableException.class,
                () ->
                    store()
                        .transaction(
                            () -> {
                              List<Object> list = new ArrayList<>();
                              owner.getMore().put("l", list);
                              list.add(1);
                              @SuppressWarnings("unchecked")
                              List<Object> twin =
                                  (List<Object>) Objects.requireNonNull(owner.getMore().get("l"));
                              twin.add(new BigDecimal("2"));
                            }))
            .getMessage();
    assertTrue(message.startsWith("arrayList was changed in a plain"), message);
    assertEquals(List.of(), owner.getPets());
    assertNull(owner.getMore().get("l"));
  }

  @Test
  void aChangeThatCannotBeStoredRollsBack() {
    Owner owner = store().root(Owner.class);
    String message =
        assertThrows(
                NotPersistableException.class,
                () ->
                    store()
                        .transaction(
                            () -> {
                              List<Object> list = new ArrayList<>();
                              owner.getMore().put("l", list);
                              list.add(new StringBuilder());
                            }))
            .getMessage();
    assertTrue(message.startsWith("arrayList[0] is of class java.lang.StringBuilder"), message);
    assertNull(owner.getMore().get("l"));
  }
}
