package io.pmstore.oms.kill;

import io.pmstore.oms.targets.TargetKind;
import io.pmstore.oms.targets.TargetSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * How a target is killed.
 *
 * @param target how it is opened; its directory is where the stores of the rounds go
 * @param flowFile the FIX messages that the service applies
 * @param rounds how often it is killed, at least 1
 * @param seed what the moments of the kills are drawn from
 */
public record KillSettings(
    TargetKind kind, TargetSettings target, Path flowFile, int rounds, long seed) {

  /** The arguments of the child for a store in a directory. */
  List<String> childArguments(Path directory) {
    return List.of(
        kind.label(),
        directory.toString(),
        target.medium().name(),
        Boolean.toString(target.relaxed()),
        Integer.toString(target.threads()),
        Long.toString(target.llplPoolBytes()),
        flowFile.toString());
  }
}
