package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.ReplicatedMap;
import io.pmstore.StoreFailedException;
import io.pmstore.raft.Answer.Ending;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The replicated maps of a node. If this node leads, it executes their calls; otherwise it sends
 * them to the leader. It sends a call that changes something only once, because the change could
 * otherwise happen twice. Thread-safe.
 */
final class Maps {
  private static final long WAIT_MICROS_MAX = 2_000;

  private final Node node;
  private final Executor executor;
  private final CallQueue changes =
      new CallQueue(TimeUnit.MICROSECONDS.toNanos(WAIT_MICROS_MAX), this::sendTogether);
  private final ConcurrentHashMap<String, ReplicatedMap> maps = new ConcurrentHashMap<>();

  /**
   * Creates the maps.
   *
   * @param executor executes the calls that other nodes send, each on a thread of its own
   */
  Maps(Node node, Executor executor) {
    this.node = node;
    this.executor = executor;
  }

  ReplicatedMap map(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the name of a map is empty; give one");
    }
    return maps.computeIfAbsent(name, OneMap::new);
  }

  /** Rolls a call back: its message has no room for the answer, and the caller sends it alone. */
  private static final class NoRoomException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private final class OneMap implements ReplicatedMap {
    private final String name;

    OneMap(String name) {
      this.name = name;
    }

    @Override
    public Optional<String> get(String key) {
      return Optional.ofNullable(call(MapCall.Operation.GET, key, null, null));
    }

    @Override
    public Optional<String> set(String key, String value) {
      return Optional.ofNullable(
          call(MapCall.Operation.SET, key, Objects.requireNonNull(value, "value"), null));
    }

    @Override
    public boolean compareAndSet(String key, Optional<String> expected, String value) {
      String done =
          call(
              MapCall.Operation.COMPARE_AND_SET,
              key,
              Objects.requireNonNull(value, "value"),
              expected.orElse(null));
      return Boolean.parseBoolean(done);
    }

    @Override
    public Optional<String> remove(String key) {
      return Optional.ofNullable(call(MapCall.Operation.REMOVE, key, null, null));
    }

    @Override
    public int size() {
      return Integer.parseInt(Objects.requireNonNull(call(MapCall.Operation.SIZE, "", null, null)));
    }

    @Override
    public Map<String, String> entries() {
      size(); // makes the root, if there is none
      PmStore store = node.host().store();
      return store.<Map<String, String>, RuntimeException>snapshot(
          () -> Map.copyOf(store.root(name, MapRoot.class).getEntries()));
    }

    private @Nullable String call(
        MapCall.Operation operation,
        String key,
        @Nullable String value,
        @Nullable String expected) {
      if (node.host().store().inTransaction()) {
        throw new IllegalStateException(
            "a call of the map %s is a transaction of its own, so it is not made inside a transaction or a snapshot; call it outside, or use the root object of class %s there"
                .formatted(name, MapRoot.class.getName()));
      }
      return Maps.this.call(
          new MapCall(operation, name, Objects.requireNonNull(key, "key"), value, expected));
    }
  }

  /** Has the leader execute a call, waiting for an election if there is none. */
  private @Nullable String call(MapCall call) {
    long begin = System.nanoTime();
    Backoff backoff = new Backoff(node.leadership());
    while (true) {
      int seen = node.leadership().changes();
      Answer answer = node.leadership().term() != 0 ? execute(call) : send(call);
      switch (answer.ending()) {
        case DONE -> {
          return answer.text();
        }
        case UNKNOWN -> throw new OutcomeUnknownException(String.valueOf(answer.text()));
        case FAILED, REFUSED -> throw new PmStoreException(String.valueOf(answer.text()));
        default -> {
          if (System.nanoTime() - begin > node.patience() || node.isClosing()) {
            throw node.leadership().notLeader("a call of a map was not executed: " + answer.text());
          }
          backoff.pause(seen, "interrupted before a call of a map was executed");
        }
      }
    }
  }

  private Answer send(MapCall call) {
    String leader = node.leadership().otherLeaderId();
    if (leader == null) {
      return new Answer(Ending.NOT_LEADER, "no leader is known");
    }
    if (call.size() > RatisServer.RECORD_MAX) {
      return new Answer(
          Ending.FAILED,
          "a call of the map %s has %d bytes, and one that is sent to the leader at most %d; split the value"
              .formatted(call.map(), call.size(), RatisServer.RECORD_MAX));
    }
    if (!call.operation().writes()) { // it does not wait for a change, which may lack a majority
      return sendAlone(leader, call);
    }
    Answer answer = changes.send(leader, call);
    return answer.ending() == Ending.ALONE ? sendAlone(leader, call) : answer;
  }

  private Answer sendAlone(String leader, MapCall call) {
    return sendTogether(leader, List.of(call)).getFirst();
  }

  /** Sends calls to the leader in one message. Returns their answers, in the same order. */
  private List<Answer> sendTogether(String leader, List<MapCall> calls) {
    try {
      return Answer.decodeAll(node.peers().ask(leader, MapCall.encode(calls)));
    } catch (IOException | RuntimeException e) {
      return calls.stream().map(call -> lost(call, leader, e.toString())).toList();
    }
  }

  /** A read is sent again; a change may have happened. */
  static Answer lost(MapCall call, String leader, String why) {
    return call.operation().writes()
        ? new Answer(
            Ending.UNKNOWN,
            "the outcome of a change of the map %s is not known, because its leader %s did not answer: %s; read whether it has happened"
                .formatted(call.map(), leader, why))
        : new Answer(Ending.NOT_LEADER, why);
  }

  /** Executes calls here, at the same time, so that their changes can share an entry of the log. */
  List<Answer> executeAll(List<MapCall> calls) {
    if (calls.size() == 1) {
      return List.of(execute(calls.getFirst()));
    }
    AtomicLong room = new AtomicLong(RatisServer.RECORD_MAX);
    List<CompletableFuture<Answer>> answers =
        calls.stream()
            .map(call -> CompletableFuture.supplyAsync(() -> execute(call, room), executor))
            .toList();
    return answers.stream().map(CompletableFuture::join).toList();
  }

  /** Executes a call here. */
  private Answer execute(MapCall call) {
    return execute(call, new AtomicLong(Long.MAX_VALUE));
  }

  /**
   * Executes a call here, if there is room for its answer.
   *
   * @param room for all answers of a message, in bytes
   */
  private Answer execute(MapCall call, AtomicLong room) {
    try {
      PmStore store = node.host().store();
      return new Answer(
          Ending.DONE,
          store.<@Nullable String, NoRoomException>transaction(
              () -> {
                String value = run(call, store.root(call.map(), MapRoot.class).getEntries());
                if (room.addAndGet(-Answer.size(value)) < 0) {
                  throw new NoRoomException();
                }
                return value;
              }));
    } catch (NoRoomException e) {
      return new Answer(Ending.ALONE, null);
    } catch (NotLeaderException e) {
      return new Answer(Ending.NOT_LEADER, e.getMessage());
    } catch (OutcomeUnknownException e) {
      return new Answer(Ending.UNKNOWN, e.getMessage());
    } catch (RuntimeException e) {
      return failed(call, e);
    }
  }

  /** A change may be in the log although its node has failed. */
  static Answer failed(MapCall call, RuntimeException e) {
    return e instanceof StoreFailedException && call.operation().writes()
        ? new Answer(
            Ending.UNKNOWN,
            "the outcome of a change of the map %s is not known: %s; read whether it has happened"
                .formatted(call.map(), e))
        : new Answer(Ending.FAILED, e.toString());
  }

  private static @Nullable String run(MapCall call, Map<String, String> entries) {
    return switch (call.operation()) {
      case GET -> entries.get(call.key());
      case SET -> entries.put(call.key(), Objects.requireNonNull(call.value()));
      case REMOVE -> entries.remove(call.key());
      case SIZE -> Integer.toString(entries.size());
      case COMPARE_AND_SET -> {
        boolean fits = Objects.equals(entries.get(call.key()), call.expected());
        if (fits) {
          entries.put(call.key(), Objects.requireNonNull(call.value()));
        }
        yield Boolean.toString(fits);
      }
    };
  }
}
