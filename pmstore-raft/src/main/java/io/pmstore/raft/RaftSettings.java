package io.pmstore.raft;

import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node of a replicated store: its id, the other nodes, and how it reaches them.
 * {@link #options} puts the settings into {@link PmStoreOptions}, with which {@link
 * io.pmstore.PmStore#open(Path, PmStoreOptions)} opens the node.
 *
 * <p>Open each of the first nodes of a store with the same members. Open a node that is added later
 * with {@link #join}. A node that was opened before knows the members from its own files and from
 * the other nodes.
 *
 * <p>Immutable and safe for use by any number of threads: each method returns a changed copy. No
 * parameter and no result is null.
 */
public final class RaftSettings {
  /** The name of the engine. */
  public static final String ENGINE = "raft";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private static final String ID_KEY = "id";
  private static final String MEMBERS_KEY = "members";
  private static final String GROUP_KEY = "group";
  private static final String JOIN_KEY = "join";
  private static final String BIND_KEY = "bind";
  private static final String ELECTION_KEY = "electionTimeoutMillis";
  private static final String OUTCOME_KEY = "outcomeTimeoutMillis";
  private static final String LOG_KEY = "logEntries";
  private static final String TLS_KEY_KEY = "tlsKey";
  private static final String TLS_CERTIFICATE_KEY = "tlsCertificate";
  private static final String TLS_TRUST_KEY = "tlsTrust";

  private static final Set<String> KEYS =
      Set.of(
          ID_KEY,
          MEMBERS_KEY,
          GROUP_KEY,
          JOIN_KEY,
          BIND_KEY,
          ELECTION_KEY,
          OUTCOME_KEY,
          LOG_KEY,
          TLS_KEY_KEY,
          TLS_CERTIFICATE_KEY,
          TLS_TRUST_KEY);

  private final Map<String, String> values;

  private RaftSettings(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Names the node.
   *
   * @param id of this node among the others: letters, digits, hyphens and underscores, at most 64.
   *     It stays the same as long as the node has its directory
   * @return settings without other members
   * @throws IllegalArgumentException if the id has other characters
   */
  public static RaftSettings node(String id) {
    return new RaftSettings(Map.of(ID_KEY, checkedId(id)));
  }

  /**
   * Adds a member; this node is one too.
   *
   * @param id of the member
   * @param host by which the others reach it; on this node, the address to which it binds, and no
   *     other one, unless {@link #bind} says otherwise
   * @param port on which it listens, from 1 to 65535
   * @return the changed copy
   * @throws IllegalArgumentException if one of them cannot be, or the member or its address is
   *     there already
   */
  public RaftSettings member(String id, String host, int port) {
    checkedId(id);
    if (host.isBlank() || host.contains(",") || host.contains("=") || port < 1 || port > 65535) {
      throw new IllegalArgumentException(
          "the member %s is at \"%s:%d\"; give a host name or address, and a port from 1 to 65535"
              .formatted(id, host, port));
    }
    Map<String, String> members = members(values);
    add(members, id, host + ":" + port);
    return with(
        MEMBERS_KEY,
        members.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(",")));
  }

  /**
   * Names the group of nodes. Nodes of different groups do not talk to each other, even if an
   * address is wrong. Nor do nodes of different clusters in groups of the same name; but a new node
   * belongs to the first cluster of its group that reaches it.
   *
   * @param name of the group; the default is "pmstore"
   * @return the changed copy
   */
  public RaftSettings group(String name) {
    return with(GROUP_KEY, Objects.requireNonNull(name));
  }

  /**
   * Opens the node as one that the others will add, by {@link io.pmstore.Replication#addMember}.
   * Until then it is empty and elects nobody. Without effect on a node that has been a member.
   *
   * @return the changed copy
   */
  public RaftSettings join() {
    return with(JOIN_KEY, "true");
  }

  /**
   * Sets the address to which this node binds, if it is not the one by which the others reach it.
   *
   * @param host an address of this machine; "0.0.0.0" for all of them
   * @return the changed copy
   */
  public RaftSettings bind(String host) {
    return with(BIND_KEY, Objects.requireNonNull(host));
  }

  /**
   * Sets how long a node waits for a sign of the leader before it asks for votes; at random up to
   * twice as long.
   *
   * @param timeout from 100 milliseconds; the default is 1 second. It has to be much longer than
   *     what a message takes, and than pauses of the JVM
   * @return the changed copy
   * @throws IllegalArgumentException if it is shorter
   */
  public RaftSettings electionTimeout(Duration timeout) {
    return with(ELECTION_KEY, atLeast(timeout, 100));
  }

  /**
   * Sets how long a transaction whose node has lost the leadership waits to learn its outcome,
   * before it ends with {@link io.pmstore.OutcomeUnknownException}. It also is how long a read
   * waits for the leader's answer, and how long transactions are in the way of a node that is to be
   * closed, or to be copied by another one: after that it stops leading.
   *
   * @param timeout from 100 milliseconds; the default is 5 seconds
   * @return the changed copy
   * @throws IllegalArgumentException if it is shorter
   */
  public RaftSettings outcomeTimeout(Duration timeout) {
    return with(OUTCOME_KEY, atLeast(timeout, 100));
  }

  /**
   * Sets after how many entries a node makes what it has applied durable, and drops the log before
   * them but for as many entries. A node that lags behind the others' logs gets the whole heap
   * instead.
   *
   * @param entries from 10; the default is 100,000
   * @return the changed copy
   * @throws IllegalArgumentException if there are fewer
   */
  public RaftSettings logEntries(int entries) {
    if (entries < 10) {
      throw new IllegalArgumentException(
          "the log is to keep %d entries; give 10 or more".formatted(entries));
    }
    return with(LOG_KEY, Integer.toString(entries));
  }

  /**
   * Encrypts what the nodes say to each other, and has each prove who it is. Without this, anyone
   * who can reach a node's port can read and change the store.
   *
   * @param key the node's private key, a file in PEM, PKCS #8
   * @param certificate the node's certificate and those up to the root, a file in PEM. It has to
   *     name the host by which the others reach the node
   * @param trust the certificates that the nodes trust, a file in PEM
   * @return the changed copy
   */
  public RaftSettings tls(Path key, Path certificate, Path trust) {
    return with(TLS_KEY_KEY, key.toString())
        .with(TLS_CERTIFICATE_KEY, certificate.toString())
        .with(TLS_TRUST_KEY, trust.toString());
  }

  /**
   * Puts the settings into options.
   *
   * @param options the other options of the store
   * @return the options, with the engine {@value #ENGINE}
   */
  public PmStoreOptions options(PmStoreOptions options) {
    return options.engine(ENGINE, values);
  }

  /** Reads settings from options. */
  static RaftSettings of(Map<String, String> settings) {
    for (String key : settings.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "the engine raft has no setting \"%s\"; RaftSettings has all of them".formatted(key));
      }
    }
    return new RaftSettings(settings);
  }

  String id() {
    return checkedId(required(ID_KEY));
  }

  Map<String, String> members() {
    return members(values);
  }

  private static Map<String, String> members(Map<String, String> values) {
    Map<String, String> members = new LinkedHashMap<>();
    String all = values.get(MEMBERS_KEY);
    if (all != null) {
      for (String each : all.split(",", -1)) {
        int at = each.indexOf('=');
        if (at < 0) {
          throw new IllegalArgumentException(
              "the members are \"%s\"; give id=host:port, separated by commas".formatted(all));
        }
        add(members, checkedId(each.substring(0, at)), Addresses.checked(each.substring(at + 1)));
      }
    }
    return members;
  }

  private static void add(Map<String, String> members, String id, String address) {
    members.forEach(
        (other, taken) -> {
          if (other.equals(id)) {
            throw new IllegalArgumentException("the member %s is named twice".formatted(id));
          }
          if (taken.equals(address)) {
            throw new IllegalArgumentException(
                "the members %s and %s have the same address %s; give each the one at which it listens"
                    .formatted(other, id, address));
          }
        });
    members.put(id, address);
  }

  /** The address by which the others reach this node. */
  String address() {
    String address = members().get(id());
    if (address == null) {
      throw new IllegalArgumentException(
          "the node %s is not among its members %s; add it, with the address at which it listens"
              .formatted(id(), members()));
    }
    return address;
  }

  String bindHost() {
    String own = address(); // throws if the node is no member, wherever it listens
    return values.getOrDefault(BIND_KEY, Addresses.host(own));
  }

  String group() {
    return values.getOrDefault(GROUP_KEY, "pmstore");
  }

  boolean joins() {
    return Boolean.parseBoolean(values.getOrDefault(JOIN_KEY, "false"));
  }

  Duration electionTimeout() {
    return Duration.ofMillis(number(ELECTION_KEY, 1000));
  }

  Duration outcomeTimeout() {
    return Duration.ofMillis(number(OUTCOME_KEY, 5000));
  }

  int logEntries() {
    return (int) Math.min(Integer.MAX_VALUE, number(LOG_KEY, 100_000));
  }

  boolean hasTls() {
    return values.containsKey(TLS_KEY_KEY);
  }

  Path tlsKey() {
    return Path.of(required(TLS_KEY_KEY));
  }

  Path tlsCertificate() {
    return Path.of(required(TLS_CERTIFICATE_KEY));
  }

  Path tlsTrust() {
    return Path.of(required(TLS_TRUST_KEY));
  }

  private String required(String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException(
          "the engine raft needs the setting \"%s\"; RaftSettings has it".formatted(key));
    }
    return value;
  }

  private long number(String key, long otherwise) {
    String value = values.get(key);
    try {
      return value == null ? otherwise : Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the setting \"%s\" of the engine raft is \"%s\"; give a number".formatted(key, value),
          e);
    }
  }

  private static String checkedId(@Nullable String id) {
    if (id == null || !ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "the id of a node is \"%s\"; give 1 to 64 letters, digits, hyphens or underscores"
              .formatted(id));
    }
    return id;
  }

  private static String atLeast(Duration timeout, long millis) {
    if (timeout.toMillis() < millis) {
      throw new IllegalArgumentException(
          "a timeout of %s is too short; give at least %d ms".formatted(timeout, millis));
    }
    return Long.toString(timeout.toMillis());
  }

  private RaftSettings with(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(key, value);
    return new RaftSettings(Map.copyOf(changed));
  }

  @Override
  public String toString() {
    return "RaftSettings" + values;
  }
}
