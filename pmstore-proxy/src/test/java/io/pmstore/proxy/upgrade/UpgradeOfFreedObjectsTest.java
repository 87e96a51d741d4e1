package io.pmstore.proxy.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Durability;
import io.pmstore.Migration;
import io.pmstore.Persistent;
import io.pmstore.PmStoreOptions;
import io.pmstore.Upgrade;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.proxy.layer.ProxyLayerProvider;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that are freed after an upgrade has found them, and before it upgrades them. */
class UpgradeOfFreedObjectsTest {
  private static final int ITEMS = 100;

  /** A class that had only a number before. */
  @Persistent
  static class Item {
    private int number;
    private @Nullable String text;

    int getNumber() {
      return number;
    }

    void setNumber(int number) {
      this.number = number;
    }

    @Nullable String getText() {
      return text;
    }

    void setText(@Nullable String text) {
      this.text = text;
    }
  }

  private final MemoryEngine engine = new MemoryEngine();
  private final AtomicBoolean freed = new AtomicBoolean();
  private @Nullable Heap heap;

  private void fill() {
    Heap before = new Heap(engine, Durability.SYNC, h -> new NoObjects());
    Shape shape =
        new Catalogue(before)
            .define(
                Shape.layOut(
                    Item.class.getName(),
                    "",
                    List.of(new Property("number", SlotKind.INT, "int", 0))));
    before.transaction(
        () -> {
          for (int i = 0; i < ITEMS; i++) {
            long item = before.allocate(shape.id(), shape.size());
            before.putInt(item, shape.properties().getFirst().offset(), i);
            before.directory().setRoot("item " + i, item);
          }
          return true;
        });
  }

  /** The first one that is upgraded has half of the others freed. */
  private String text(int number) {
    Heap open = heap;
    if (open != null && freed.compareAndSet(false, true)) {
      CompletableFuture.runAsync(
              () -> {
                for (int i = ITEMS / 2; i < ITEMS; i++) {
                  open.directory().setRoot("item " + i, 0);
                }
              })
          .join();
    }
    return "the text that was made for the item of the number " + number;
  }

  @Test
  @Timeout(60)
  void theyAreLeftAlone() throws Exception {
    fill();
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .classes(Item.class)
            .migrations(
                Migration.of(
                    Item.class, "text", (old, item) -> text(old.get("number", Integer.class))));
    Heap open = new Heap(engine, Durability.SYNC, h -> new ProxyLayerProvider().open(h, options));
    heap = open;
    try {
      Upgrade upgrade = open.layer().upgradeAll();
      upgrade.await();
      assertEquals(ITEMS / 2, upgrade.upgraded());
      for (int i = 0; i < ITEMS / 2; i++) {
        Item item = open.layer().root("item " + i, Item.class);
        assertEquals(i, item.getNumber());
        assertEquals(text(i), item.getText());
      }
    } finally {
      open.close();
    }
  }
}
