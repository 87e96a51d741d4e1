package io.pmstore.jmh.commit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/** The bare barrier of an ordinary file: a small write into room that is there, then a sync. */
public final class FileLog implements AutoCloseable {
  private final int size;
  private final FileChannel channel;
  private final AtomicLong appended = new AtomicLong();

  /**
   * Makes the log.
   *
   * @param file that is not there yet
   * @param size of it, in bytes, a multiple of 1 MiB; records are written over the first ones when
   *     it is full
   */
  public FileLog(Path file, int size) throws IOException {
    this.size = size;
    channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    for (long at = 0; at < size; at += zeros.capacity()) {
      write(zeros.clear(), at);
    }
    channel.force(true);
  }

  private void write(ByteBuffer bytes, long at) throws IOException {
    int written = channel.write(bytes, at);
    if (bytes.hasRemaining()) {
      throw new IOException("only " + written + " bytes were written at " + at);
    }
  }

  /**
   * Makes a record durable: pwrite and fdatasync, from the caller's thread.
   *
   * @param record of a length that divides the log's size
   * @throws IOException if that failed
   */
  public void append(ByteBuffer record) throws IOException {
    int length = record.remaining();
    write(record, appended.getAndAdd(length) % size);
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
