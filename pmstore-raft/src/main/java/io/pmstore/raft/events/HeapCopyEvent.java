package io.pmstore.raft.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A node has replaced its heap by a copy of another node's heap. */
@Name("pmstore.HeapCopy")
@Label("Heap Copy")
@Description("A node that was away for long has replaced its heap by a copy of the leader's")
@Category("pmstore")
@StackTrace(false)
public final class HeapCopyEvent extends Event {
  @Label("Store")
  @Description("The directory of the node")
  String store = "";

  @Label("Node")
  @Description("The id of the node")
  String node = "";

  @Label("Source")
  @Description("The id of the node that was copied")
  String source = "";

  @Label("Heap Bytes")
  @Description("The size of the heap")
  @DataAmount
  long heapBytes;

  @Label("Transferred Bytes")
  @Description("What the network has carried, compressed")
  @DataAmount
  long transferredBytes;

  @Label("Index")
  @Description("The last entry that the copy has")
  long index;

  private HeapCopyEvent() {}

  static HeapCopyEvent started() {
    HeapCopyEvent event = new HeapCopyEvent();
    event.begin();
    return event;
  }

  void ended(String directory, String id, String from, long heap, long transferred, long last) {
    end();
    if (shouldCommit()) {
      store = directory;
      node = id;
      source = from;
      heapBytes = heap;
      transferredBytes = transferred;
      index = last;
      commit();
    }
  }
}
