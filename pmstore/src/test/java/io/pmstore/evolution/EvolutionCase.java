package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests that open one store with one version of a program after the other. */
abstract class EvolutionCase {
  static final String ROOT =
      bean("class Root", "List<Object> all = new ArrayList<>()", "Object one");

  @TempDir Path directory;

  Versions versions;

  @BeforeEach
  void start() {
    start("store");
  }

  void start(String name) {
    versions = new Versions(directory.resolve(name));
  }

  @AfterEach
  void end() {
    versions.close();
  }

  void open(String source) {
    versions.open(compile(ROOT + source));
  }

  void open(String source, PmStoreOptions options) {
    versions.open(compile(ROOT + source), options);
  }

  Object one() {
    return call(versions.root(), "getOne");
  }

  void setOne(Object value) {
    call(versions.root(), "setOne", value);
  }

  /** The source of the class whose object {@link #storeTrade} stores, with more properties. */
  static String tradeWith(String... added) {
    List<String> fields = new ArrayList<>(List.of("String symbol", "int qty", "String price"));
    fields.addAll(List.of(added));
    return bean("class Trade", fields.toArray(String[]::new));
  }

  /** Stores a Trade with symbol SAP, quantity 7 and price "12.50". */
  void storeTrade() {
    open(tradeWith());
    Object trade = versions.make("Trade");
    call(trade, "setSymbol", "SAP");
    call(trade, "setQty", 7);
    call(trade, "setPrice", "12.50");
    setOne(trade);
  }

  @SuppressWarnings("unchecked")
  static void add(Object collection, Object element) {
    ((Collection<Object>) collection).add(element);
  }

  @SuppressWarnings("unchecked")
  static void put(Object map, Object key, Object value) {
    ((Map<Object, Object>) map).put(key, value);
  }

  @SuppressWarnings("unchecked")
  static void put(Object holder, Object item) {
    ((java.util.Set<Object>) call(holder, "getSet")).add(item);
  }

  @SuppressWarnings("unchecked")
  List<Object> all() {
    return (List<Object>) call(versions.root(), "getAll");
  }

  void verify() {
    versions.close();
    assertTrue(PmStore.verify(directory.resolve("store")).faults().isEmpty());
    versions.reopen();
  }

  static void assertRefused(Class<? extends Exception> type, Executable action, String... parts) {
    String message = String.valueOf(assertThrows(type, action).getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), () -> part + " is not in: " + message);
    }
  }
}
