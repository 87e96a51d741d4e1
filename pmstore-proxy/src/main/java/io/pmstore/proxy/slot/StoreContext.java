package io.pmstore.proxy.slot;

import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.value.ValueCells;

/** The objects that all parts of one store's object layer share. */
public record StoreContext(
    Heap heap,
    StoreSchema schema,
    StoreObjects objects,
    ValueCells values,
    Migrations migrations) {}
