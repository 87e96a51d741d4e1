package io.pmstore.jmh.commit;

import io.pmstore.Storage;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/** The bare barrier of an ordinary file: a small write into room that is there, then a sync. */
final class FileLog implements AutoCloseable {
  private static final int SIZE = Writer.LOG_SIZE;

  private final TemporaryDirectory directory;
  private final FileChannel channel;
  private final AtomicLong appended = new AtomicLong();

  FileLog() throws IOException {
    directory = TemporaryDirectory.create(Storage.FILE);
    channel =
        FileChannel.open(
            directory.path().resolve("log"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    for (long at = 0; at < SIZE; at += zeros.capacity()) {
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

  /** Makes a record durable: pwrite and fdatasync, from the caller's thread. */
  void append(ByteBuffer record) throws IOException {
    int length = record.remaining();
    write(record, appended.getAndAdd(length) % SIZE);
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    directory.close();
  }
}
