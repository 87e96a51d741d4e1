package io.pmstore.raft;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A change of the members, as a node asks the leader for it.
 *
 * @param id the node that is added or removed
 * @param address the address of a node that is added; null to remove the node
 * @param isRepeated true if the same caller has asked for it before, and got no answer: then it is
 *     no fault that the change has happened
 */
record MemberChange(String id, @Nullable String address, boolean isRepeated) {
  static MemberChange adding(String id, String address) {
    return new MemberChange(id, address, false);
  }

  static MemberChange removing(String id) {
    return new MemberChange(id, null, false);
  }

  MemberChange repeated() {
    return new MemberChange(id, address, true);
  }

  ByteString encode() {
    return Wire.bytes(
        out -> {
          out.writeLong(Long.reverseBytes(Questions.MEMBERS));
          Wire.write(out, id);
          Wire.write(out, address);
          out.writeBoolean(isRepeated);
        });
  }

  static MemberChange decode(ByteString encoded) {
    return Wire.read(
        encoded,
        in -> {
          in.readLong();
          return new MemberChange(Wire.required(in), Wire.text(in), in.readBoolean());
        });
  }

  /** Returns true if the members are as they are after this change. */
  boolean isDoneIn(Map<String, String> members) {
    return address == null ? !members.containsKey(id) : address.equals(members.get(id));
  }

  /** Returns the members after this change. */
  Map<String, String> appliedTo(Map<String, String> members) {
    Map<String, String> changed = new LinkedHashMap<>(members);
    if (address == null) {
      changed.remove(id);
    } else {
      changed.put(id, address);
    }
    return changed;
  }

  /** Returns why the change is none of these members, or null if it is. */
  @Nullable String findFault(Map<String, String> members) {
    if (address == null) {
      return !members.containsKey(id)
          ? "there is no node %s; the members are %s".formatted(id, members)
          : members.size() == 1
              ? "%s is the only node; close the store instead".formatted(id)
              : null;
    }
    if (members.containsKey(id)) {
      return "there is a node %s already, at %s; give the new node an id that was never used"
          .formatted(id, members.get(id));
    }
    for (Map.Entry<String, String> each : members.entrySet()) {
      if (each.getValue().equals(address)) {
        return "the node %s has the address %s already; give the one at which the new node %s listens"
            .formatted(each.getKey(), address, id);
      }
    }
    return null;
  }

  /** Returns a text such as "the node d was not added". */
  String failure() {
    return "the node %s was not %s".formatted(id, address == null ? "removed" : "added");
  }
}
