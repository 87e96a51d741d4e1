package io.pmstore.core.heap;

import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreDamagedException;
import io.pmstore.Upgrade;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An object layer for tests that use the heap without Java objects. */
public class NoObjects implements ObjectLayer {
  @Override
  public <T> T root(Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T create(Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T newCollection(Class<T> type, @Nullable Comparator<?> comparator) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object persist(Object plain) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object cloned(HeapObject object, Object original) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StoreDamagedException otherType(HeapObject object, int property, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object fitting(HeapObject object, int property, Object value, Class<?> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Object read(HeapObject object, int offset, int property) {
    return object.heap().getLong(object.address(), offset);
  }

  @Override
  public void write(
      HeapObject object, int offset, int property, @Nullable Object value, boolean alone) {
    object.heap().putLong(object.address(), offset, value == null ? 0 : (Long) value);
  }

  @Override
  public @Nullable Object changingInPlace(TransactionFunction<@Nullable Object, Exception> body)
      throws Exception {
    return body.run();
  }

  @Override
  public <T extends @Nullable Object> T stored(T result) {
    return result;
  }

  @Override
  public String describe(HeapObject handle, PersistentObject object) {
    return String.valueOf(handle.address());
  }

  @Override
  public Object copy(Object object, Predicate<Object> included) {
    return object;
  }

  @Override
  public boolean follow(HeapObject object, int offset, int property, Object value) {
    return false;
  }

  @Override
  public boolean isChangingInPlace() {
    return false;
  }

  @Override
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Upgrade upgradeAll() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long upgrade(HeapObject object) {
    throw new UnsupportedOperationException();
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
}
