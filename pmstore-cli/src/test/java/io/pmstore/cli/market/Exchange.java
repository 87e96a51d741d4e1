package io.pmstore.cli.market;

import io.pmstore.Persistent;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The root: collections of every kind, with keys of every kind. */
@Persistent(root = "exchange")
public class Exchange {
  private String name = "XNAS";
  private Map<Long, Order> orders = new HashMap<>();
  private Map<Account, String> notes = new HashMap<>();
  private Map<Isin, Integer> ownHashes = new HashMap<>();
  private Map<Money, String> moneys = new HashMap<>();
  private Map<Side, Order> bySide = new HashMap<>();
  private Set<String> tags = new LinkedHashSet<>();
  private Set<Isin> isins = new HashSet<>();
  private Deque<String> queue = new ArrayDeque<>();
  private NavigableMap<String, Order> bySymbol = new TreeMap<>();
  private NavigableSet<Account> accounts = new TreeSet<>();
  private NavigableSet<Account> byName = new TreeSet<>(Account.BY_NAME);
  private NavigableSet<Account> byNameReversed =
      new TreeSet<>(Collections.reverseOrder(Account.BY_NAME));
  private NavigableSet<Order> byQuantity = new TreeSet<>(ByQuantity.ASCENDING);
  private NavigableSet<Integer> descending = new TreeSet<>(Comparator.reverseOrder());
  private NavigableSet<String> ignoringCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private Optional<Account> best = Optional.empty();
  private Account[] board = {};
  private String[] lines = {};
  private Kinds kinds = new Kinds();

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public Map<Long, Order> getOrders() {
    return orders;
  }

  public void setOrders(Map<Long, Order> orders) {
    this.orders = orders;
  }

  public Map<Account, String> getNotes() {
    return notes;
  }

  public void setNotes(Map<Account, String> notes) {
    this.notes = notes;
  }

  public Map<Isin, Integer> getOwnHashes() {
    return ownHashes;
  }

  public void setOwnHashes(Map<Isin, Integer> ownHashes) {
    this.ownHashes = ownHashes;
  }

  public Map<Money, String> getMoneys() {
    return moneys;
  }

  public void setMoneys(Map<Money, String> moneys) {
    this.moneys = moneys;
  }

  public Map<Side, Order> getBySide() {
    return bySide;
  }

  public void setBySide(Map<Side, Order> bySide) {
    this.bySide = bySide;
  }

  public Set<String> getTags() {
    return tags;
  }

  public void setTags(Set<String> tags) {
    this.tags = tags;
  }

  public Set<Isin> getIsins() {
    return isins;
  }

  public void setIsins(Set<Isin> isins) {
    this.isins = isins;
  }

  public Deque<String> getQueue() {
    return queue;
  }

  public void setQueue(Deque<String> queue) {
    this.queue = queue;
  }

  public NavigableMap<String, Order> getBySymbol() {
    return bySymbol;
  }

  public void setBySymbol(NavigableMap<String, Order> bySymbol) {
    this.bySymbol = bySymbol;
  }

  public NavigableSet<Account> getAccounts() {
    return accounts;
  }

  public void setAccounts(NavigableSet<Account> accounts) {
    this.accounts = accounts;
  }

  public NavigableSet<Account> getByName() {
    return byName;
  }

  public void setByName(NavigableSet<Account> byName) {
    this.byName = byName;
  }

  public NavigableSet<Account> getByNameReversed() {
    return byNameReversed;
  }

  public void setByNameReversed(NavigableSet<Account> byNameReversed) {
    this.byNameReversed = byNameReversed;
  }

  public NavigableSet<Order> getByQuantity() {
    return byQuantity;
  }

  public void setByQuantity(NavigableSet<Order> byQuantity) {
    this.byQuantity = byQuantity;
  }

  public NavigableSet<Integer> getDescending() {
    return descending;
  }

  public void setDescending(NavigableSet<Integer> descending) {
    this.descending = descending;
  }

  public NavigableSet<String> getIgnoringCase() {
    return ignoringCase;
  }

  public void setIgnoringCase(NavigableSet<String> ignoringCase) {
    this.ignoringCase = ignoringCase;
  }

  public Optional<Account> getBest() {
    return best;
  }

  public void setBest(Optional<Account> best) {
    this.best = best;
  }

  public Account[] getBoard() {
    return board;
  }

  public void setBoard(Account[] board) {
    this.board = board;
  }

  public String[] getLines() {
    return lines;
  }

  public void setLines(String[] lines) {
    this.lines = lines;
  }

  public Kinds getKinds() {
    return kinds;
  }

  public void setKinds(Kinds kinds) {
    this.kinds = kinds;
  }
}
