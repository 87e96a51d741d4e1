/** The examples of docs/testing-your-code.md. */
package io.pmstore.junit.example;
