package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import io.pmstore.spi.EnhancedObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A debugger stops in a method of a persistent object, on its line, and reads its fields. */
class DebuggerTest {
  @TempDir Path directory;

  @Test
  void aBreakpointInAMethodOfAPersistentObjectIsHit() throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(Ledger.class.getName() + " " + directory.resolve("store"));
    arguments
        .get("options")
        .setValue(
            "-Xmx256m -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -javaagent:"
                + AgentJarTest.agentJar(directory)
                + " -cp "
                + System.getProperty("java.class.path"));
    VirtualMachine machine = connector.launch(arguments);
    Thread output =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    machine
                        .process()
                        .getInputStream()
                        .transferTo(java.io.OutputStream.nullOutputStream());
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    ClassPrepareRequest prepare = machine.eventRequestManager().createClassPrepareRequest();
    prepare.addClassFilter(Ledger.Book.class.getName());
    prepare.enable();
    int hits = 0;
    boolean running = true;
    while (running) {
      EventSet events = machine.eventQueue().remove(60_000);
      assertNotNull(events, "no event");
      for (Event event : events) {
        switch (event) {
          case ClassPrepareEvent prepared -> stopInAdd(prepared.referenceType());
          case BreakpointEvent stopped -> {
            hits++;
            look(stopped);
          }
          case VMDeathEvent _ -> running = false;
          case VMDisconnectEvent _ -> running = false;
          default -> {}
        }
      }
      if (running) {
        events.resume();
      }
    }
    output.join();
    assertEquals(1, hits);
  }

  private static void stopInAdd(ReferenceType book) throws Exception {
    int first = book.methodsByName("add").getFirst().allLineLocations().getFirst().lineNumber();
    book.virtualMachine()
        .eventRequestManager()
        .createBreakpointRequest(book.locationsOfLine(first + 2).getFirst())
        .enable();
  }

  private static void look(BreakpointEvent stopped) throws Exception {
    StackFrame frame = stopped.thread().frame(0);
    assertEquals("add", frame.location().method().name());
    assertEquals("Ledger.java", frame.location().sourceName());
    assertEquals(Ledger.Book.class.getName(), frame.location().declaringType().name());
    assertTrue(frame.visibleVariableByName("entry") != null);
    ObjectReference book = frame.thisObject();
    String getter = EnhancedObject.GET + EnhancedObject.member(Ledger.Book.class.getName(), "sum");
    LongValue sum =
        (LongValue)
            book.invokeMethod(
                stopped.thread(),
                book.referenceType().methodsByName(getter).getFirst(),
                List.of(),
                ObjectReference.INVOKE_SINGLE_THREADED);
    assertEquals(10, sum.value());
  }
}
