package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.RolledBackException;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.documents.CollectionsExample.Desk;
import io.pmstore.documents.CollectionsExample.Watchlist;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CollectionsExampleTest {
  @TempDir Path parent;

  private PmStore open(Storage storage) {
    PmStoreOptions options = PmStoreOptions.defaults().storage(storage).llplPoolSize(64L << 20);
    try {
      return PmStore.open(parent.resolve("store"), options);
    } catch (PmStoreException e) {
      assumeTrue(!String.valueOf(e.getMessage()).contains("libpmem"), e.getMessage());
      throw e;
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheExampleStoresIsThereAfterReopening(Storage storage) {
    try (PmStore store = open(storage)) {
      CollectionsExample.run(store);
    }
    try (PmStore store = open(storage)) {
      Desk desk = store.root(Desk.class);
      assertEquals(Map.of("PETR4", 1), desk.getPositions());
      assertEquals(Set.of("VALE3", "OIBR3"), desk.getHalted());
      assertTrue(desk.getInbox().isEmpty());
      assertEquals(Map.of("PETR4", List.of("from the inbox")), desk.getNotes());
      assertEquals(2, desk.getBook().first().getId());
    }
    PmStoreOptions options = PmStoreOptions.defaults().storage(storage).llplPoolSize(64L << 20);
    assertEquals(List.of(), PmStore.verify(parent.resolve("store"), options).faults());
  }

  @Test
  void aPropertyMayBeDeclaredAsAClass() {
    try (PmStore store = open(Storage.FILE)) {
      Watchlist list = store.root("watchlist", Watchlist.class);
      list.watch("PETR4", 31);
      list.watch("VALE3", 68);
    }
    try (PmStore store = open(Storage.FILE)) {
      Watchlist list = store.root("watchlist", Watchlist.class);
      ArrayList<String> symbols = list.getSymbols();
      assertSame(symbols, list.getSymbols());
      assertEquals(List.of("PETR4", "VALE3"), symbols);
      assertEquals("VALE3", list.getAlerts().lastEntry().getKey());
      assertSame(ArrayList.class, store.copy(list).getSymbols().getClass());
    }
    assertEquals(List.of(), PmStore.verify(parent.resolve("store")).faults());
  }

  @Test
  void newCollectionsBelongToTheirTransactionAndStayIfARootReachesThem() {
    List<Deque<Integer>> made = new ArrayList<>();
    List<PmStore> stores = new ArrayList<>();
    try (PmStore store = open(Storage.FILE)) {
      Desk desk = store.root(Desk.class);
      store.transaction(
          () -> {
            Map<String, Integer> positions = store.newMap();
            positions.put("PETR4", 7);
            desk.setPositions(positions);
            desk.setNotes(store.newConcurrentMap());
            NavigableSet<String> halted = store.newSortedSet(Comparator.reverseOrder());
            halted.addAll(List.of("A", "C", "B"));
            desk.setHalted(halted);
            NavigableMap<Integer, String> unreached = store.newSortedMap();
            unreached.put(2, "two");
            unreached.put(1, "one");
            assertEquals(1, unreached.firstKey());
            List<String> notes = store.newList();
            notes.add("kept");
            desk.getNotes().put("PETR4", notes);
            assertSame(positions, desk.getPositions());
          });
      assertThrows(
          IllegalStateException.class,
          () ->
              store.transaction(
                  () -> {
                    made.add(store.newDeque());
                    made.getFirst().add(1);
                    throw new IllegalStateException();
                  }));
      assertThrows(
          NotPersistableException.class,
          () -> store.newSortedSet(Comparator.comparing(String::length)));
      assertThrows(RolledBackException.class, () -> made.getFirst().peek());
    }
    try (PmStore store =
        PmStore.open(parent.resolve("store"), PmStoreOptions.defaults().readOnly(true))) {
      Desk desk = store.root(Desk.class);
      assertEquals(Map.of("PETR4", 7), desk.getPositions());
      assertEquals(Map.of("PETR4", List.of("kept")), desk.getNotes());
      assertEquals(List.of("C", "B", "A"), List.copyOf(desk.getHalted()));
      assertThrows(StoreReadOnlyException.class, store::newSet);
      stores.add(store);
    }
    assertThrows(StoreClosedException.class, () -> stores.getFirst().newSet());
  }
}
