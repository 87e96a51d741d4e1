package io.pmstore.model.predict;

/**
 * What a workload does on a profile.
 *
 * @param profile its name
 * @param perSecond operations a second
 * @param low the lower end of what the figures' intervals allow, and the model's own error
 * @param high the upper end
 * @param latencyNanos of an operation
 * @param processorNanos the processor's part of an operation
 * @param waitingNanos the memory's part: waiting for lines
 * @param movingNanos the part of moving lines and records
 * @param barrierNanos the part of making records durable
 * @param limit the largest part
 */
public record Prediction(
    String profile,
    int threads,
    double perSecond,
    double low,
    double high,
    double latencyNanos,
    double processorNanos,
    double waitingNanos,
    double movingNanos,
    double barrierNanos,
    Limit limit) {}
