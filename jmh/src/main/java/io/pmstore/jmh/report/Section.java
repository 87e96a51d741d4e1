package io.pmstore.jmh.report;

import java.util.List;

/**
 * A chapter of the report.
 *
 * @param blocks in their order, without tables that have no rows; a section without any block is
 *     left out
 */
public record Section(String title, List<Block> blocks) {
  /** Copies the blocks, but for tables without rows. */
  public Section {
    blocks =
        blocks.stream()
            .filter(block -> !(block instanceof Block.Table table && table.rows().isEmpty()))
            .toList();
  }
}
