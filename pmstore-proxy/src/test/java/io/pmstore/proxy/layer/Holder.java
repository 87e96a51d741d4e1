package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A property for each interface that persistent collections have. */
@Persistent(root = "holder")
public class Holder {
  private Collection<Object> collection = new ArrayList<>();
  private @Nullable SequencedCollection<Object> sequenced;
  private List<@Nullable Object> list = new ArrayList<>();
  private Set<@Nullable Object> set = new HashSet<>();
  private Queue<Object> queue = new ArrayDeque<>();
  private Deque<Object> deque = new ArrayDeque<>();
  private Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
  private ConcurrentMap<Object, Object> concurrent = new ConcurrentHashMap<>();
  private @Nullable Iterable<Object> iterable;
  private @Nullable Object any;

  public Collection<Object> getCollection() {
    return collection;
  }

  public void setCollection(Collection<Object> collection) {
    this.collection = collection;
  }

  public @Nullable SequencedCollection<Object> getSequenced() {
    return sequenced;
  }

  public void setSequenced(@Nullable SequencedCollection<Object> sequenced) {
    this.sequenced = sequenced;
  }

  public List<@Nullable Object> getList() {
    return list;
  }

  public void setList(List<@Nullable Object> list) {
    this.list = list;
  }

  public Set<@Nullable Object> getSet() {
    return set;
  }

  public void setSet(Set<@Nullable Object> set) {
    this.set = set;
  }

  public Queue<Object> getQueue() {
    return queue;
  }

  public void setQueue(Queue<Object> queue) {
    this.queue = queue;
  }

  public Deque<Object> getDeque() {
    return deque;
  }

  public void setDeque(Deque<Object> deque) {
    this.deque = deque;
  }

  public Map<@Nullable Object, @Nullable Object> getMap() {
    return map;
  }

  public void setMap(Map<@Nullable Object, @Nullable Object> map) {
    this.map = map;
  }

  public ConcurrentMap<Object, Object> getConcurrent() {
    return concurrent;
  }

  public void setConcurrent(ConcurrentMap<Object, Object> concurrent) {
    this.concurrent = concurrent;
  }

  public @Nullable Iterable<Object> getIterable() {
    return iterable;
  }

  public void setIterable(@Nullable Iterable<Object> iterable) {
    this.iterable = iterable;
  }

  public @Nullable Object getAny() {
    return any;
  }

  public void setAny(@Nullable Object any) {
    this.any = any;
  }
}
