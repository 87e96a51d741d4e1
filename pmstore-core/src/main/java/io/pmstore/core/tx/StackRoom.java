package io.pmstore.core.tx;

/** Refuses a transaction or snapshot if the thread's stack has no room for the store's code. */
final class StackRoom {
  private static boolean never; // not final: without the branch a compiler forgets the frame

  private StackRoom() {}

  /**
   * Requires 14 KiB of the calling thread's stack. A stack that ends in the code around a body may
   * leave a transaction or a snapshot open, or a lock taken, for ever; or a commit half made, so
   * that the store fails.
   *
   * <p>This needs no measurement. Each method of the JVM, interpreted or compiled, first makes sure
   * that the stack has room for its frame, with a few instructions. The frame of this one is as
   * large as its variables.
   *
   * @throws StackOverflowError if the stack has less room
   */
  @SuppressWarnings("unused") // the variables are there for their size, 16 bytes each
  static void require() {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af, ag, ah, ai, aj, ak, al;
    long am, an, ao, ap, aq, ar, as, at, au, av, aw, ax, ay, az, b0, b1, b2, b3, b4, b5, b6, b7;
    long b8, b9, ba, bb, bc, bd, be, bf, bg, bh, bi, bj, bk, bl, bm, bn, bo, bp, bq, br, bs, bt;
    long bu, bv, bw, bx, by, bz, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ca, cb, cc, cd, ce, cf;
    long cg, ch, ci, cj, ck, cl, cm, cn, co, cp, cq, cr, cs, ct, cu, cv, cw, cx, cy, cz, d0, d1;
    long d2, d3, d4, d5, d6, d7, d8, d9, da, db, dc, dd, de, df, dg, dh, di, dj, dk, dl, dm, dn;
    long dp, dq, dr, ds, dt, du, dv, dw, dx, dy, dz, e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, ea;
    long eb, ec, ed, ee, ef, eg, eh, ei, ej, ek, el, em, en, eo, ep, eq, er, es, et, eu, ev, ew;
    long ex, ey, ez, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, fa, fb, fc, fd, fe, ff, fg, fh, fi;
    long fj, fk, fl, fm, fn, fo, fp, fq, fr, fs, ft, fu, fv, fw, fx, fy, fz, g0, g1, g2, g3, g4;
    long g5, g6, g7, g8, g9, ga, gb, gc, gd, ge, gf, gg, gh, gi, gj, gk, gl, gm, gn, go, gp, gq;
    long gr, gs, gt, gu, gv, gw, gx, gy, gz, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, ha, hb, hc;
    long hd, he, hf, hg, hh, hi, hj, hk, hl, hm, hn, ho, hp, hq, hr, hs, ht, hu, hv, hw, hx, hy;
    long hz, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, ia, ib, ic, id, ie, ig, ih, ii, ij, ik, il;
    long im, in, io, ip, iq, ir, is, it, iu, iv, iw, ix, iy, iz, j0, j1, j2, j3, j4, j5, j6, j7;
    long j8, j9, ja, jb, jc, jd, je, jf, jg, jh, ji, jj, jk, jl, jm, jn, jo, jp, jq, jr, js, jt;
    long ju, jv, jw, jx, jy, jz, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, ka, kb, kc, kd, ke, kf;
    long kg, kh, ki, kj, kk, kl, km, kn, ko, kp, kq, kr, ks, kt, ku, kv, kw, kx, ky, kz, l0, l1;
    long l2, l3, l4, l5, l6, l7, l8, l9, la, lb, lc, ld, le, lf, lg, lh, li, lj, lk, ll, lm, ln;
    long lo, lp, lq, lr, ls, lt, lu, lv, lw, lx, ly, lz, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9;
    long ma, mb, mc, md, me, mf, mg, mh, mi, mj, mk, ml, mm, mn, mo, mp, mq, mr, ms, mt, mu, mv;
    long mw, mx, my, mz, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, na, nb, nc, nd, ne, nf, ng, nh;
    long ni, nj, nk, nl, nm, nn, no, np, nq, nr, ns, nt, nu, nv, nw, nx, ny, nz, o0, o1, o2, o3;
    long o4, o5, o6, o7, o8, o9, oa, ob, oc, od, oe, of, og, oh, oi, oj, ok, ol, om, on, oo, op;
    long oq, or, os, ot, ou, ov, ow, ox, oy, oz, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, pa, pb;
    long pc, pd, pe, pf, pg, ph, pi, pj, pk, pl, pm, pn, po, pp, pq, pr, ps, pt, pu, pv, pw, px;
    long py, pz, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, qa, qb, qc, qd, qe, qf, qg, qh, qi, qj;
    long qk, ql, qm, qn, qo, qp, qq, qr, qs, qt, qu, qv, qw, qx, qy, qz, r0, r1, r2, r3, r4, r5;
    long r6, r7, r8, r9, ra, rb, rc, rd, re, rf, rg, rh, ri, rj, rk, rl, rm, rn, ro, rp, rq, rr;
    long rs, rt, ru, rv, rw, rx, ry, rz, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd;
    long se, sf, sg, sh, si, sj, sk, sl, sm, sn, so, sp, sq, sr, ss, st, su, sv, sw, sx, sy, sz;
    long t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ta, tb, tc, td, te, tf, tg, th, ti, tj, tk, tl;
    long tm, tn, to, tp, tq, tr, ts, tt, tu, tv, tw, tx, ty, tz, u0, u1, u2, u3, u4, u5, u6, u7;
    long u8, u9, ua, ub, uc, ud, ue, uf, ug, uh, ui, uj, uk, ul, um, un, uo, up, uq, ur, us, ut;
    long uu, uv, uw, ux, uy, uz, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, va, vb, vc, vd, ve, vf;
    long vg, vh, vi, vj, vk, vl, vm, vn, vo, vp, vq, vr, vs, vt, vu, vv, vw, vx, vy, vz, w0, w1;
    long w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf, wg, wh, wi, wj, wk, wl, wm, wn;
    long wo, wp, wq, wr, ws, wt, wu, wv, ww, wx, wy, wz, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9;
    long xa, xb, xc, xd, xe, xf, xg, xh, xi, xj, xk, xl, xm, xn, xo, xp, xq, xr, xs, xt, xu, xv;
    long xw, xx, xy, xz, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, ya, yb, yc, yd, ye, yf, yg, yh;
    long yi, yj, yk, yl, ym, yn, yo, yp, yq, yr, ys, yt, yu, yv, yw, yx, yy, yz, z0, z1, z2, z3;
    long z4, z5, z6, z7, z8, z9, za, zb, zc, zd, ze, zf, zg, zh, zi, zj, zk, zl, zm, zn, zo, zp;
    long zq, zr, zs, zt, zu, zv, zw, zx, zy, zz;
    if (never) {
      throw new StackOverflowError();
    }
  }
}
