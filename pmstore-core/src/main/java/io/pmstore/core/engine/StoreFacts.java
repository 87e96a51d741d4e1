package io.pmstore.core.engine;

import io.pmstore.Storage;
import java.util.UUID;

/**
 * What the header of a store says, without opening the store. Immutable.
 *
 * @param formatVersion of the files
 * @param store the store's identity
 * @param storage with which it was created
 * @param closed true if it was closed after its last commit; false if it is open now, or its
 *     process was killed
 * @param epoch the number of the last opening for writing, 1 or more; 0 if the engine counts none
 * @param heapBytes the size of the heap
 */
public record StoreFacts(
    int formatVersion, UUID store, Storage storage, boolean closed, long epoch, long heapBytes) {}
