package io.pmstore.jmh.report;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Invented results of all suites, as large and as far from each other as real ones are. */
final class SampleResults {
  private final Random random = new Random(8);
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<LatencyCurve> latencies = new ArrayList<>();

  private SampleResults() {}

  static Results all() {
    SampleResults sample = new SampleResults();
    sample.oms();
    sample.workloads();
    sample.intset();
    sample.tiered();
    sample.consensus();
    sample.objects();
    Map<String, String> run = new LinkedHashMap<>();
    run.put("machine", "an invented one, 2 cores, 24 GB");
    run.put("file system (file)", "ext4 on /dev/invented");
    run.put("persistent memory", "tmpfs; EMULATED: cache-line write-back and fence");
    run.put("command", "./bench full --seed 8");
    return new Results(
        run,
        sample.measurements,
        sample.latencies,
        List.of(
            new Omission("oms/ratio 6/postgres/pmem/sync/1", "no server: <initdb> & \"pg_ctl\""),
            new Omission("ycsb/A/llpl-raw", "nobody wrote it by hand")));
  }

  private void add(Subject subject, String metric, String unit, double mean, int samples) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      values.add(mean * (1 + 0.06 * random.nextGaussian()));
    }
    measurements.add(new Measurement(subject, metric, unit, values));
  }

  private void oms() {
    Map<String, Double> file =
        Map.of(
            "pmstore",
            6562.0,
            "pmstore-llpl",
            404.0,
            "llpl-raw",
            732.0,
            "sqlite",
            4015.0,
            "postgres",
            3026.0,
            "barrier",
            6900.0);
    Map<String, Double> pmem =
        Map.of(
            "pmstore",
            139_757.0,
            "pmstore-llpl",
            124_109.0,
            "llpl-raw",
            403_284.0,
            "sqlite",
            82_382.0,
            "postgres",
            9_539.0,
            "barrier",
            3_800_000.0);
    for (String workload : List.of("ratio 6", "ratio 1000")) {
      for (int threads : new int[] {1, 4, 16}) {
        for (String target : Palette.TARGETS) {
          if (file.containsKey(target)) {
            double scale = workload.equals("ratio 6") ? 1 : 1.4;
            double more = target.equals("sqlite") ? 1.1 : Math.sqrt(threads);
            oms(workload, target, "file", "sync", threads, scale * more * file.get(target));
            oms(workload, target, "pmem", "sync", threads, scale * more * pmem.get(target));
            if (!target.contains("llpl") && !target.equals("barrier")) {
              oms(
                  workload,
                  target,
                  "file",
                  "relaxed",
                  threads,
                  scale * more * 20 * file.get(target));
            }
          }
        }
        oms(workload, "hashmap", "memory", "none", threads, 2_500_000);
      }
    }
    for (String medium : List.of("file", "pmem")) {
      oms("find by id", "pmstore", medium, "sync", 1, 900_000);
      oms("find by id", "sqlite", medium, "sync", 1, 150_000);
      oms("find by id", "postgres", medium, "sync", 1, 14_000);
    }
  }

  private void oms(
      String workload, String target, String medium, String durability, int threads, double mean) {
    Subject subject = new Subject("oms", workload, target, medium, durability, threads, 0);
    add(subject, "throughput", workload.startsWith("find") ? "orders/s" : "reports/s", mean, 3);
    double micros = threads * 1e6 / mean;
    add(subject, "p50", "us", 0.8 * micros, 3);
    add(subject, "p99", "us", 4 * micros, 3);
    add(subject, "disk", "bytes/report", target.equals("sqlite") ? 90 : 130, 1);
    add(subject, "log", "bytes/report", 950, 1);
    add(subject, "written", "bytes/report", 410, 1);
    add(subject, "reopen", "ms", 12, 3);
    if (!workload.equals("ratio 6")) {
      return;
    }
    Histogram nanos = new Histogram(3);
    for (int i = 0; i < 20_000; i++) {
      double tail = random.nextInt(500) == 0 ? 20 : 1;
      nanos.recordValue(1 + (long) (800 * micros * tail * Math.exp(0.35 * random.nextGaussian())));
    }
    latencies.add(LatencyCurve.of(subject, nanos));
  }

  private void workloads() {
    List<String> workloads =
        List.of(
            "A",
            "B",
            "C",
            "D",
            "E",
            "F",
            "update zipfian",
            "update latest",
            "insert zipfian",
            "insert latest");
    for (String medium : List.of("file", "pmem")) {
      double fast = medium.equals("file") ? 1 : 20;
      for (String workload : workloads) {
        for (String target : List.of("pmstore", "pmstore-llpl", "sqlite", "postgres")) {
          double mean =
              fast * (workload.equals("C") ? 300_000 : 9_000) / (1 + Palette.order(target));
          add(
              new Subject("ycsb", workload, target, medium, "sync", 4, 10_000),
              "throughput",
              "ops/s",
              mean,
              3);
          add(
              new Subject("ycsb", workload, target, medium, "sync", 4, 10_000),
              "p99",
              "us",
              4e6 / mean,
              3);
        }
      }
      for (String workload : workloads) {
        add(
            new Subject("ycsb", workload, "hashmap", "memory", "none", 4, 10_000),
            "throughput",
            "ops/s",
            7e6,
            3);
      }
      for (int threads : new int[] {1, 4}) {
        for (String target : List.of("pmstore", "sqlite", "postgres")) {
          add(
              new Subject("tpcb", "tpcb", target, medium, "sync", threads, 0),
              "throughput",
              "transactions/s",
              fast * 4000 / (1 + Palette.order(target)),
              3);
        }
      }
    }
  }

  private void intset() {
    for (String structure : List.of("list", "hash", "skip list")) {
      for (int bits = 4; bits <= (structure.equals("list") ? 12 : 16); bits++) {
        double plain =
            structure.equals("list")
                ? 4e8 / (1L << bits)
                : 3e7 / (structure.equals("hash") ? 1 : bits / 2.0);
        intset(structure, "java", "memory", "none", bits, plain);
        intset(structure, "pmstore", "pmem", "sync", bits, Math.min(plain / 4, 900_000));
        intset(structure, "pmstore", "file", "sync", bits, Math.min(plain / 20, 12_000));
      }
    }
  }

  private void intset(
      String structure, String target, String medium, String durability, int bits, double mean) {
    add(
        new Subject("intset", structure, target, medium, durability, 1, 1L << bits),
        "throughput",
        "ops/s",
        mean,
        5);
  }

  private void tiered() {
    for (String workload :
        List.of("update zipfian", "update latest", "insert 50 % zipfian", "insert 50 % latest")) {
      double slow = workload.startsWith("insert") ? 2.2 : 1;
      tiered(workload, "pmstore-tiered", 210_000 / slow, 90 * slow);
      tiered(workload, "nvwal", 150_000 / slow, 400 * slow);
    }
    for (String target : List.of("pmstore-tiered", "nvwal")) {
      Subject all = new Subject("tiered", "all", target, "pmem", "sync", 1, 3_000_000);
      add(all, "recovery", "ms", target.equals("nvwal") ? 30_000 : 9_000, 1);
    }
    for (String target : List.of("pmstore-tiered", "pmstore")) {
      add(
          new Subject("tiered", "ratio 6", target, "pmem", "sync", 1, 0),
          "throughput",
          "reports/s",
          target.equals("pmstore") ? 180_000 : 190_000,
          5);
    }
  }

  private void tiered(String workload, String target, double mean, double bytes) {
    Subject subject = new Subject("tiered", workload, target, "pmem", "sync", 1, 3_000_000);
    add(subject, "throughput", "ops/s", mean, 40);
    add(subject, "slice", "ms", 500, 1);
    add(subject, "p50", "us", 0.8e6 / mean, 1);
    add(subject, "p99.9", "us", 9e6 / mean, 1);
    add(subject, "max", "us", target.equals("nvwal") ? 900_000 : 30_000, 1);
    add(subject, "written", "bytes", bytes, 1);
    add(subject, "files", "bytes", bytes, 1);
  }

  private void consensus() {
    for (String target : List.of("idle", "log", "list", "tree", "pmstore")) {
      double more = target.equals("pmstore") ? 1.3 : 1;
      for (int threads : List.of(1, 20)) {
        Subject set =
            new Subject("consensus", "set local", target, "pmem", "sync", threads, 50_000);
        add(set, "throughput", "ops/s", threads == 1 ? 3_000 / more : 18_000, 6);
        add(set, "p50", "us", 300 * more, 6);
        add(set, "p90", "us", 400 * more, 6);
        if (!target.equals("idle")) {
          add(set, "idle p50", "us", 300, 6);
          add(set, "p50 ratio", "x", threads == 1 ? more : 1, 6);
        }
      }
      Subject replica = new Subject("consensus", "replica", target, "pmem", "sync", 1, 50_000);
      add(replica, "recovery", "ms", target.equals("log") ? 1_000 : 400, 2);
      add(replica, "start", "ms", 200, 2);
    }
    for (String target : List.of("idle", "pmstore")) {
      Subject many = new Subject("consensus", "many objects", target, "pmem", "sync", 1, 1_000_000);
      add(many, "start", "ms", target.equals("idle") ? 300 : 450, 5);
    }
    for (String target : List.of("list", "pmstore hash map")) {
      for (String durability : List.of("sync", "relaxed")) {
        Subject alone =
            new Subject("consensus", "structure", target, "pmem", durability, 1, 20_000);
        List.of("insert", "read", "delete").forEach(metric -> add(alone, metric, "ns", 900, 6));
      }
    }
  }

  private void objects() {
    rung("Getter", "getterInside", "pmem", 64, 14.4);
    rung("Getter", "getterOutside", "pmem", 64, 5.4);
    rung("Getter", "plainField", "memory", 64, 0.3);
    rung("Getter", "rawSegment", "file", 64, 0.2); // the baseline need not be the fastest
    rung("EvolvedGetter older", "kept", "pmem", 1, 29);
    rung("EvolvedGetter current", "kept", "pmem", 1, 11);
    rung("Opening", "openAndRead", "file", 300_000, 8.4e6);
    rung("Opening", "openAndRead", "file", 0, 8e6);
  }

  private void rung(String workload, String target, String medium, long size, double nanos) {
    add(new Subject("objects", workload, target, medium, "none", 1, size), "time", "ns", nanos, 5);
  }
}
