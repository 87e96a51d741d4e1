package io.pmstore.jmh.workload;

/** What one thread does, again and again. Only its own thread uses it. */
public interface Worker {
  /**
   * Decides what is done next. Its time is part of the run, but of no latency.
   *
   * @return the kind of operation, as an index of the kinds the run was told of
   */
  int prepare();

  /**
   * Does what was decided; the time that it takes is the latency.
   *
   * @throws Exception if it cannot; this ends the run
   */
  void perform() throws Exception;
}
