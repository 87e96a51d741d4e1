package io.pmstore.jmh.results;

/**
 * A step that has no result.
 *
 * @param step its name
 * @param reason why, for the reader of the report
 */
public record Omission(String step, String reason) {}
