package io.pmstore.core.store;

import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreDamagedException;
import io.pmstore.Upgrade;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The object layer of a heap that is opened to be verified: there are no Java objects. */
final class NoObjectLayer implements ObjectLayer {
  @Override
  public <T> T root(Class<T> type) {
    throw refused();
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    throw refused();
  }

  @Override
  public <T> T create(Class<T> type) {
    throw refused();
  }

  @Override
  public <T> T newCollection(Class<T> type, @Nullable Comparator<?> comparator) {
    throw refused();
  }

  @Override
  public Object persist(Object plain) {
    throw refused();
  }

  @Override
  public Object cloned(HeapObject object, Object original) {
    throw refused();
  }

  @Override
  public StoreDamagedException otherType(HeapObject object, int property, Object value) {
    throw refused();
  }

  @Override
  public Object fitting(HeapObject object, int property, Object value, Class<?> type) {
    throw refused();
  }

  @Override
  public @Nullable Object read(HeapObject object, int offset, int property) {
    throw refused();
  }

  @Override
  public void write(
      HeapObject object, int offset, int property, @Nullable Object value, boolean alone) {
    throw refused();
  }

  @Override
  public @Nullable Object changingInPlace(TransactionFunction<@Nullable Object, Exception> body)
      throws Exception {
    throw refused();
  }

  @Override
  public <T extends @Nullable Object> T stored(T result) {
    return result;
  }

  @Override
  public String describe(HeapObject handle, PersistentObject object) {
    throw refused();
  }

  @Override
  public Object copy(Object object, Predicate<Object> included) {
    throw refused();
  }

  @Override
  public boolean follow(HeapObject object, int offset, int property, Object value) {
    throw refused();
  }

  @Override
  public boolean isChangingInPlace() {
    throw refused();
  }

  @Override
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    throw refused();
  }

  @Override
  public Upgrade upgradeAll() {
    throw refused();
  }

  @Override
  public long upgrade(HeapObject object) {
    throw refused();
  }

  @Override
  public @Nullable Object pinning(long address) {
    return null;
  }

  @Override
  public void forEachPinned(LongConsumer visitor) {}

  @Override
  public @Nullable Class<?> rolledBack(HeapObject object, long address) {
    return null;
  }

  @Override
  public void forget(long address) {}

  @Override
  public void catalogueChanged() {}

  @Override
  public void close() {}

  private static IllegalStateException refused() {
    return new IllegalStateException("a heap that is being verified has no Java objects");
  }
}
