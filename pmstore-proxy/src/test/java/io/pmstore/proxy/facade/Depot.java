package io.pmstore.proxy.facade;

import io.pmstore.Persistent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/** A class whose author declares properties as classes of collections, not as interfaces. */
@Persistent(root = "depot")
@SuppressWarnings("JdkObsolete") // programs have them
public class Depot {
  private ArrayList<@Nullable Object> arrayList = new ArrayList<>();
  private LinkedList<@Nullable Object> linkedList = new LinkedList<>();
  private Vector<@Nullable Object> vector = new Vector<>();
  private Stack<@Nullable Object> stack = new Stack<>();
  private CopyOnWriteArrayList<@Nullable Object> copyOnWriteArrayList =
      new CopyOnWriteArrayList<>();
  private HashMap<@Nullable Object, @Nullable Object> hashMap = new HashMap<>();
  private Hashtable<Object, Object> hashtable = new Hashtable<>();
  private Properties properties = new Properties();
  private LinkedHashMap<@Nullable Object, @Nullable Object> linkedHashMap = new LinkedHashMap<>();
  private TreeMap<@Nullable Object, @Nullable Object> treeMap = new TreeMap<>();
  private HashSet<@Nullable Object> hashSet = new HashSet<>();
  private LinkedHashSet<@Nullable Object> linkedHashSet = new LinkedHashSet<>();
  private CopyOnWriteArraySet<@Nullable Object> copyOnWriteArraySet = new CopyOnWriteArraySet<>();
  private TreeSet<@Nullable Object> treeSet = new TreeSet<>();
  private ArrayDeque<Object> arrayDeque = new ArrayDeque<>();
  private ConcurrentLinkedDeque<Object> concurrentLinkedDeque = new ConcurrentLinkedDeque<>();
  private ConcurrentLinkedQueue<Object> concurrentLinkedQueue = new ConcurrentLinkedQueue<>();

  private @Nullable ArrayList<String> lazy;
  private @Nullable List<@Nullable Object> list;
  private @Nullable Map<@Nullable Object, @Nullable Object> map;
  private @Nullable Object any;
  private @Nullable Pallet pallet;
  private ArrayList<String> @Nullable [] buckets;

  /** A record with such components. */
  public record Pallet(
      String name, ArrayList<String> boxes, LinkedHashMap<String, Integer> sizes) {}

  /** All collections, by the class that they are declared as. */
  public Map<Class<?>, Object> all() {
    Map<Class<?>, Object> all = new LinkedHashMap<>();
    all.put(ArrayList.class, arrayList);
    all.put(LinkedList.class, linkedList);
    all.put(Vector.class, vector);
    all.put(Stack.class, stack);
    all.put(CopyOnWriteArrayList.class, copyOnWriteArrayList);
    all.put(HashMap.class, hashMap);
    all.put(Hashtable.class, hashtable);
    all.put(Properties.class, properties);
    all.put(LinkedHashMap.class, linkedHashMap);
    all.put(TreeMap.class, treeMap);
    all.put(HashSet.class, hashSet);
    all.put(LinkedHashSet.class, linkedHashSet);
    all.put(CopyOnWriteArraySet.class, copyOnWriteArraySet);
    all.put(TreeSet.class, treeSet);
    all.put(ArrayDeque.class, arrayDeque);
    all.put(ConcurrentLinkedDeque.class, concurrentLinkedDeque);
    all.put(ConcurrentLinkedQueue.class, concurrentLinkedQueue);
    return all;
  }

  /** Replaces all of them by new ones. */
  public void renew() {
    arrayList = new ArrayList<>();
    linkedList = new LinkedList<>();
    vector = new Vector<>();
    stack = new Stack<>();
    copyOnWriteArrayList = new CopyOnWriteArrayList<>();
    hashMap = new HashMap<>();
    hashtable = new Hashtable<>();
    properties = new Properties();
    linkedHashMap = new LinkedHashMap<>();
    treeMap = new TreeMap<>();
    hashSet = new HashSet<>();
    linkedHashSet = new LinkedHashSet<>();
    copyOnWriteArraySet = new CopyOnWriteArraySet<>();
    treeSet = new TreeSet<>();
    arrayDeque = new ArrayDeque<>();
    concurrentLinkedDeque = new ConcurrentLinkedDeque<>();
    concurrentLinkedQueue = new ConcurrentLinkedQueue<>();
  }

  /** Adds to each, by methods of the classes and of the interfaces. */
  public void add(int value) {
    arrayList.ensureCapacity(10);
    arrayList.add(value);
    linkedList.offerLast(value);
    vector.addElement(value);
    stack.push(value);
    copyOnWriteArrayList.addIfAbsent(value);
    hashMap.put(value, -value);
    hashtable.merge(value, -value, (one, other) -> other);
    properties.setProperty("key " + value, "value");
    linkedHashMap.putLast(value, -value);
    treeMap.put(value, -value);
    hashSet.add(value);
    linkedHashSet.addLast(value);
    copyOnWriteArraySet.add(value);
    treeSet.add(value);
    arrayDeque.addLast(value);
    concurrentLinkedDeque.offer(value);
    concurrentLinkedQueue.add(value);
  }

  /** Changes collections by methods that only their classes have, and fails. */
  public void fail(int which) {
    switch (which) {
      case 0 -> vector.insertElementAt("lost", 0);
      case 1 -> vector.addElement("lost");
      case 2 -> stack.push("lost");
      case 3 -> linkedList.offerFirst("lost");
      case 4 -> copyOnWriteArrayList.addIfAbsent("lost");
      case 5 -> hashtable.put("lost", "lost");
      case 6 -> arrayList.add("lost");
      default -> vector.setSize(7);
    }
    throw new IllegalStateException("after the change");
  }

  /** One that is made when it is first needed. */
  public void note(String text) {
    if (lazy == null) {
      lazy = new ArrayList<>();
    }
    lazy.add(text);
  }

  public @Nullable ArrayList<String> getLazy() {
    return lazy;
  }

  public ArrayList<@Nullable Object> getArrayList() {
    return arrayList;
  }

  /** A getter that says less than its field. */
  public Collection<@Nullable Object> getElements() {
    return arrayList;
  }

  /** One that says nothing. */
  public Object getWhatever() {
    return hashMap;
  }

  public void setArrayList(ArrayList<@Nullable Object> arrayList) {
    this.arrayList = arrayList;
  }

  public HashMap<@Nullable Object, @Nullable Object> getHashMap() {
    return hashMap;
  }

  public void setHashMap(HashMap<@Nullable Object, @Nullable Object> hashMap) {
    this.hashMap = hashMap;
  }

  public LinkedHashMap<@Nullable Object, @Nullable Object> getLinkedHashMap() {
    return linkedHashMap;
  }

  public void setLinkedHashMap(LinkedHashMap<@Nullable Object, @Nullable Object> linkedHashMap) {
    this.linkedHashMap = linkedHashMap;
  }

  public TreeMap<@Nullable Object, @Nullable Object> getTreeMap() {
    return treeMap;
  }

  public void setTreeMap(TreeMap<@Nullable Object, @Nullable Object> treeMap) {
    this.treeMap = treeMap;
  }

  public LinkedList<@Nullable Object> getLinkedList() {
    return linkedList;
  }

  public void setLinkedList(LinkedList<@Nullable Object> linkedList) {
    this.linkedList = linkedList;
  }

  public Vector<@Nullable Object> getVector() {
    return vector;
  }

  public void setVector(Vector<@Nullable Object> vector) {
    this.vector = vector;
  }

  public Stack<@Nullable Object> getStack() {
    return stack;
  }

  public void setStack(Stack<@Nullable Object> stack) {
    this.stack = stack;
  }

  public Hashtable<Object, Object> getHashtable() {
    return hashtable;
  }

  public Properties getProperties() {
    return properties;
  }

  public void setProperties(Properties properties) {
    this.properties = properties;
  }

  public CopyOnWriteArrayList<@Nullable Object> getCopyOnWriteArrayList() {
    return copyOnWriteArrayList;
  }

  public @Nullable List<@Nullable Object> getList() {
    return list;
  }

  public void setList(@Nullable List<@Nullable Object> list) {
    this.list = list;
  }

  public @Nullable Map<@Nullable Object, @Nullable Object> getMap() {
    return map;
  }

  public void setMap(@Nullable Map<@Nullable Object, @Nullable Object> map) {
    this.map = map;
  }

  public @Nullable Object getAny() {
    return any;
  }

  public void setAny(@Nullable Object any) {
    this.any = any;
  }

  public ArrayList<String> @Nullable [] getBuckets() {
    return buckets;
  }

  public void setBuckets(ArrayList<String> @Nullable [] buckets) {
    this.buckets = buckets;
  }

  public @Nullable Pallet getPallet() {
    return pallet;
  }

  public void setPallet(@Nullable Pallet pallet) {
    this.pallet = pallet;
  }
}
