/** A program that changes a graph of objects at random, and a model of the expected contents. */
package io.pmstore.gc.model;
