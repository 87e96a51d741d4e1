package io.pmstore.core.engine;

import io.pmstore.Storage;
import java.util.UUID;

/**
 * The facts in the header of a store, read without opening the store. Immutable.
 *
 * @param formatVersion the format version of the files
 * @param store the store's identity
 * @param storage the storage with which the store was created
 * @param closed true if the store was closed after its last commit; false if it is open now, or its
 *     process was killed
 * @param epoch the number of the last opening for writing, 1 or more; 0 if the engine does not
 *     count openings
 * @param heapBytes the size of the heap, in bytes
 */
public record StoreFacts(
    int formatVersion, UUID store, Storage storage, boolean closed, long epoch, long heapBytes) {}
