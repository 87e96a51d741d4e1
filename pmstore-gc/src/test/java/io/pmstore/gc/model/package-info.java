/** A program that changes a graph of objects at random, and a model of what is to be there. */
package io.pmstore.gc.model;
