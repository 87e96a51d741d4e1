package io.pmstore.jmh.report;

import java.util.List;

/**
 * A chapter of the report.
 *
 * @param blocks in their order; a section without any is left out
 */
public record Section(String title, List<Block> blocks) {
  /** Copies the blocks. */
  public Section {
    blocks = List.copyOf(blocks);
  }
}
