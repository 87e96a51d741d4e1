package io.pmstore.evolution.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.PmStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** What a program does with the objects of a store while it is open. */
final class Session {
  private static final int STEPS = 8;

  private final Program program;
  private final Oracle oracle;
  private final Mirror mirror;
  private final PmStore store;
  private final Draw draw;
  private final Random random;

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  Session(Program program, Oracle oracle, Mirror mirror, PmStore store) {
    this.program = program;
    this.oracle = oracle;
    this.mirror = mirror;
    this.store = store;
    this.draw = new Draw(program, oracle);
    this.random = program.random;
    mirror.look(store);
  }

  // ---- what can be done

  /** Makes objects of all classes, and keeps a value of each record and enum. */
  void meetAll() {
    List<Step> steps = new ArrayList<>();
    program.concrete().forEach(type -> steps.add(creation(type)));
    for (Definition type : program.records) {
      steps.add(addition(draw.record(type, true)));
    }
    for (Definition type : program.enums) {
      steps.add(addition(program.pick(type.members)));
    }
    Entity note = oracle.create(program.note, false);
    steps.add(
        new Step(
            () -> {
              Object plain = mirror.plain(program.note, note.id);
              mirror.know(note, store.persist(plain));
              met().add(mirror.real(note));
            },
            () -> metOfOracle().add(note)));
    steps.forEach(
        step -> {
          step.inStore().run();
          step.inOracle().run();
        });
  }

  private Step addition(Object value) {
    return new Step(() -> met().add(mirror.element(value)), () -> metOfOracle().add(value));
  }

  @SuppressWarnings("unchecked") // a list of anything
  private List<Object> met() {
    return (List<Object>) mirror.read(oracle.root, program.met);
  }

  @SuppressWarnings("unchecked")
  private List<Object> metOfOracle() {
    return (List<Object>) oracle.root.values.get(program.met.number);
  }

  /** Reads and writes, in transactions and outside, of which some are rolled back. */
  void work() {
    for (int round = 0; round < 3; round++) {
      undo();
      List<Step> steps = steps(true);
      if (random.nextBoolean()) {
        store.transaction(() -> steps.forEach(step -> step.inStore().run()));
      } else {
        steps.forEach(step -> step.inStore().run());
      }
      steps.forEach(step -> step.inOracle().run());
      checkSome();
    }
  }

  /** Does what is to leave no trace. */
  private void undo() {
    List<Step> steps = steps(false);
    assertThrows(
        Undo.class,
        () ->
            store.transaction(
                () -> {
                  steps.forEach(step -> step.inStore().run());
                  throw new Undo();
                }));
  }

  /** Looks at a snapshot before and after another thread has written, and upgraded. */
  void workBesideSnapshot() {
    Map<Entity, Map<Integer, Object>> before = oracle.copy();
    Check check = new Check(program, oracle, mirror, before, true);
    store.snapshot(
        () -> {
          if (random.nextBoolean()) {
            check.some();
          }
          FutureTask<Void> other =
              new FutureTask<>(
                  () -> {
                    work();
                    if (random.nextBoolean()) {
                      upgrade();
                    }
                    return null;
                  });
          Thread.ofPlatform().start(other);
          try {
            other.get();
          } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
          }
          check.all();
        });
  }

  /** Rewrites everything in today's shapes. */
  void upgrade() {
    try {
      store.upgrade().await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- checks

  /** Compares everything. */
  void check() {
    new Check(program, oracle, mirror, oracle.copy(), false).all();
  }

  /** Compares everything where nothing can be written. */
  void checkReadOnly() {
    new Check(program, oracle, mirror, oracle.copy(), true).all();
  }

  private void checkSome() {
    new Check(program, oracle, mirror, oracle.copy(), false).some();
  }

  // ---- steps

  /** A change, to be made on both sides. */
  private record Step(Runnable inStore, Runnable inOracle) {}

  private List<Step> steps(boolean withNew) {
    List<Step> steps = new ArrayList<>();
    List<Object> touched = new ArrayList<>();
    for (int i = random.nextInt(STEPS); i > 0; i--) {
      List<Entity> listed = oracle.listed();
      Entity entity = random.nextInt(6) == 0 ? oracle.root : program.pick(listed);
      Member property = program.pick(entity.type.allMembers());
      boolean isNew = touched.stream().noneMatch(List.of(entity, property)::equals);
      touched.add(List.of(entity, property));
      if (withNew && random.nextInt(8) == 0) {
        steps.add(creation(program.pick(program.concrete())));
      } else if (isNew && !property.isFixed) {
        steps.add(random.nextBoolean() ? assignment(entity, property) : change(entity, property));
      }
    }
    return steps;
  }

  private Step creation(Definition type) {
    Entity entity = oracle.create(type, true);
    boolean plain = random.nextBoolean();
    return new Step(
        () -> {
          @SuppressWarnings("unchecked") // of all objects
          List<Object> all = (List<Object>) mirror.read(oracle.root, program.all);
          Object made;
          if (plain) {
            made = store.persist(mirror.plain(type, entity.id));
            mirror.know(entity, made);
          } else {
            made = store.create(mirror.type(type));
            mirror.know(entity, made);
            mirror.write(entity, program.id, entity.values.get(program.id.number));
          }
          all.add(made);
          assertEquals(made, all.getLast());
        },
        () -> oracle.listed().add(entity));
  }

  private Step assignment(Entity entity, Member property) {
    Object value = draw.value(property.type);
    return new Step(
        () -> mirror.write(entity, property, mirror.real(value, property.type)),
        () -> entity.values.put(property.number, value));
  }

  private Step change(Entity entity, Member property) {
    Object element = draw.element(property.type, true);
    Contents contents = new Contents(property, random.nextInt(3), element);
    return new Step(
        () -> contents.change(mirror.read(entity, property), mirror.element(element)),
        () -> contents.change(entity.values.get(property.number), element));
  }
}
