package io.pmstore.proxy.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.proxy.collection.CellCodec;
import io.pmstore.proxy.collection.CollectionShapes;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Java objects of addresses that are freed and reused. */
class StoreObjectsTest {
  /** A class. */
  @Persistent
  static class Box {
    private int number;

    int getNumber() {
      return number;
    }

    void setNumber(int number) {
      this.number = number;
    }
  }

  // More than have a place in a chunk.
  private static final int MANY = 5000;

  private @Nullable StoreObjects made;
  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, this::layer);
  private final StoreObjects objects = Objects.requireNonNull(made);
  private final Binding binding =
      new StoreSchema(new Catalogue(heap), new Migrations(List.of())).bind(Box.class);
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  /** An object layer that knows which objects are pinned, and no more. */
  private ObjectLayer layer(Heap of) {
    StoreObjects its =
        new StoreObjects(of, new StoreSchema(new Catalogue(of), new Migrations(List.of())));
    int[] shapes = {1000};
    its.collections(
        new CollectionSpace(of, new NoCells(), new CollectionShapes(shape -> shapes[0]++)));
    its.constants(new NoConstants());
    made = its;
    return (ObjectLayer)
        Proxy.newProxyInstance(
            ObjectLayer.class.getClassLoader(),
            new Class<?>[] {ObjectLayer.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "pinning" -> its.pinning((long) arguments[0]);
                  case "close" -> null;
                  default -> throw new AssertionError(method);
                });
  }

  /** There are no collections. */
  private static final class NoCells implements CellCodec {
    @Override
    public @Nullable Object readCell(long object, int offset) {
      throw new AssertionError();
    }

    @Override
    public void writeCell(long object, int offset, @Nullable Object value) {
      throw new AssertionError();
    }

    @Override
    public long referenceTo(@Nullable Object stored) {
      throw new AssertionError();
    }

    @Override
    public @Nullable Object readReference(long reference) {
      throw new AssertionError();
    }

    @Override
    public int hash(@Nullable Object key) {
      throw new AssertionError();
    }
  }

  /** The program has no constants. */
  private static final class NoConstants implements ProgramConstants {
    @Override
    public @Nullable HeapObject handle(Object constant) {
      return null;
    }

    @Override
    public @Nullable Object equalTo(Binding binding, HeapObject handle) {
      return null;
    }
  }

  @AfterEach
  void close() {
    other.close();
    heap.close();
  }

  /** To be called in the thread whose freed space is to be given out again. */
  private Box newBox(String root, int number) {
    return heap.transaction(
        () -> {
          Box box = (Box) objects.newObject(binding);
          box.setNumber(number);
          heap.directory().setRoot(root, objects.addressToLink(box));
          return box;
        });
  }

  /** Makes a box of which no Java object is left. */
  private long unheldBox(String root, int number) {
    WeakReference<Box> box = new WeakReference<>(newBox(root, number));
    JavaGarbage.collect(box);
    return heap.directory().root(root);
  }

  private @Nullable Object at(long address, boolean together) {
    if (together) {
      return objects.at(new long[] {0, address, address})[2];
    }
    return address == 0 ? null : objects.at(address);
  }

  private <T> T inOtherThread(Callable<T> body) {
    try {
      return other.submit(body).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(60)
  void aReferenceThatIsGoneDoesNotGiveTheNextObjectOfItsAddress(boolean together) {
    long address = inOtherThread(() -> unheldBox("box", 1));
    List<Box> others = new ArrayList<>();
    int[] runs = new int[1];
    Box found =
        heap.read(
            () -> {
              long read = heap.directory().root("box");
              if (runs[0]++ == 0) {
                inOtherThread(
                    () -> {
                      heap.directory().setRoot("box", 0);
                      for (int i = 0; i < MANY && objects.known(address) == null; i++) {
                        others.add(newBox("other", 2));
                      }
                      return true;
                    });
              }
              return (Box) at(read, together);
            });
    assertNull(found);
    assertEquals(2, runs[0]);
    Box next = (Box) objects.known(address);
    assertNotNull(next, "the space was not given out again");
    assertEquals(2, next.getNumber());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(60)
  void anObjectThatIsWrittenMeanwhileIsFound(boolean together) {
    Box box = newBox("box", 1);
    Box found =
        heap.read(
            () -> {
              long read = heap.directory().root("box");
              inOtherThread(
                  () -> {
                    box.setNumber(box.getNumber() + 1);
                    return true;
                  });
              return (Box) at(read, together);
            });
    assertSame(box, found);
    assertEquals(2, box.getNumber());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(60)
  void aTransactionFindsWhatItHasMadeWhereSpaceWasFreedMeanwhile(boolean together) {
    long address = unheldBox("box", 1);
    boolean again =
        heap.transaction(
            () -> {
              inOtherThread(
                  () -> {
                    heap.directory().setRoot("box", 0);
                    return true;
                  });
              for (int i = 0; i < MANY; i++) {
                Box box = (Box) objects.newObject(binding);
                assertSame(box, at(objects.address(box), together));
                if (objects.address(box) == address) {
                  return true;
                }
              }
              return false;
            });
    assertTrue(again, "the space was not given out again");
  }

  @Test
  @Timeout(60)
  void whatIsReadStaysWhileItsJavaObjectLives() {
    long address = unheldBox("box", 7);
    Box box = heap.read(() -> (Box) objects.at(address));
    heap.directory().setRoot("box", 0);
    for (int i = 0; i < MANY; i++) {
      newBox("other", 8);
    }
    assertEquals(7, box.getNumber());
    assertSame(box, objects.pinning(address));
    box.setNumber(9);
    heap.transaction(
        () -> {
          heap.directory().setRoot("again", objects.addressToLink(box));
          return true;
        });
    assertEquals(address, heap.directory().root("again"));
    assertNotNull(heap.read(() -> objects.at(address)));
    assertEquals(9, box.getNumber());
  }
}
