"""Varied molecules for property tests: drugs, sugars, amino acids, salts, ions, every kind of stereo."""

from __future__ import annotations

MOLECULES: tuple[str, ...] = (
    "C", "CC", "CCO", "CC(C)O", "CC(C)(C)O", "C=C", "C#C", "CC#N", "C1CC1", "C1CCCCC1", "c1ccccc1",
    "Cc1ccccc1", "Oc1ccccc1", "Nc1ccccc1", "O=C(O)c1ccccc1", "CC(=O)O", "CC(=O)OCC", "CC(N)=O", "CC(=O)C",
    "CCC=O", "CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Nc1ccc(O)cc1", "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "CN1CCC[C@H]1c1cccnc1", "CN(C)CCCN1c2ccccc2CCc2ccccc21",
    "CCN(CC)CC(=O)Nc1c(C)cccc1C", "CNCC[C@@H](Oc1ccc(C(F)(F)F)cc1)c1ccccc1", "C[C@@H](Cc1ccccc1)NC",
    "CC(C)NCC(O)COc1cccc2ccccc12", "CN1C2CCC1CC(C2)OC(=O)C(CO)c1ccccc1",
    "COc1ccc2nccc(C(O)C3CC4CCN3CC4C=C)c2c1", "CC1(C)S[C@@H]2[C@H](NC(=O)Cc3ccccc3)C(=O)N2[C@H]1C(=O)O",
    "OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O", "OC[C@@H](O)[C@@H](O)[C@H](O)[C@@H](O)C=O",
    "OC[C@H]1O[C@@](O)(CO)[C@@H](O)[C@@H]1O",
    "OC[C@H]1O[C@@H](O[C@@H]2[C@@H](CO)O[C@@H](O)[C@H](O)[C@H]2O)[C@H](O)[C@@H](O)[C@H]1O",
    "C[C@H](N)C(=O)O", "N[C@@H](CO)C(=O)O", "N[C@@H](CS)C(=O)O", "N[C@@H](Cc1ccccc1)C(=O)O",
    "C[C@@H](O)[C@H](N)C(=O)O", "CC[C@H](C)[C@H](N)C(=O)O", "NCC(=O)O", "OC(=O)[C@@H]1CCCN1",
    "NCC(=O)N[C@@H](C)C(=O)O", "C[C@H](NC(=O)[C@@H](N)Cc1ccccc1)C(=O)O", "[NH3+]CC(=O)[O-]",
    "C[N+](C)(C)CC(=O)[O-]", "C[N+](C)(C)CCO", "[Na+].[Cl-]", "[Na+].CC(=O)[O-]",
    "[K+].[K+].[O-]C(=O)C(=O)[O-]", "[NH4+].[NH4+].[O-]S(=O)(=O)[O-]",
    "CN1CCC[C@H]1c1cccnc1.OC(=O)[C@H](O)[C@@H](O)C(=O)O", "CCN(CC)CCOC(=O)c1ccc(N)cc1.Cl", "C[NH3+].[Br-]",
    "Cc1ccc(cc1)[N+](=O)[O-]", "C[N+](=O)[O-]", "CN=[N+]=[N-]", "C=[N+]=[N-]", "[O-][n+]1ccccc1",
    "C[S+](C)[O-]", "CS(C)(=O)=O", "CS(=O)(=O)O", "CC[S@](C)=O", "C=P(c1ccccc1)(c1ccccc1)c1ccccc1",
    "OP(=O)(O)O", "COP(=S)(OC)OC", "C/C=C/C", "C/C=C\\C", "CC=CC", "C(=C/c1ccccc1)\\c1ccccc1",
    "C/C(=N\\O)c1ccccc1", "F/C(Cl)=C(\\F)Br", "C/C=C/C=C\\C(=O)O", "CCCCCCCC/C=C\\CCCCCCCC(=O)O",
    "CC(C)=CCC/C(C)=C/CO", "CC1=C(C(=O)C[C@@H]1O)C/C=C\\C=C", "O[C@H]([C@@H](O)C(O)=O)C(O)=O",
    "O[C@H]([C@H](O)C(O)=O)C(O)=O", "C[C@@H](O)[C@H](C)O", "C[C@H]1CC[C@@H](C)CC1", "C[C@H]1CCCC[C@@H]1C",
    "C[C@@H]1CC[C@@H](C(C)C)[C@H](O)C1", "CC1=CC[C@H](CC1)C(C)=C",
    "C[C@]12CC[C@H]3[C@@H](CC=C4C[C@@H](O)CC[C@]34C)[C@@H]1CC[C@@H]2O",
    "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C",
    "CN1CC[C@]23c4c5ccc(O)c4O[C@H]2[C@@H](O)C=C[C@H]3[C@H]1C5", "OC[C@@H]1O[C@H]1c1ccccc1", "C[C@@H]1CO1",
    "Cc1c[nH]cn1", "c1ccc2[nH]ccc2c1", "c1ccc2[nH]cnc2c1", "O=c1cc[nH]c(=O)[nH]1", "Nc1ncnc2[nH]cnc12",
    "Cc1cccc(=O)[nH]1", "c1ccc2ccccc2c1", "c1ccc2cc3ccccc3cc2c1", "c1ccoc1", "c1ccsc1", "c1ccncc1",
    "c1cnccn1", "C1CCNCC1", "C1COCCO1", "[13CH3]O", "[2H]C(Cl)(Cl)Cl", "[2H]O[2H]",
    "C[C@]([2H])(O)c1ccccc1", "*CC(*)c1ccccc1", "*c1ccccc1", "FC(F)(F)c1ccccc1", "ClC(Cl)(Cl)Cl", "BrCCBr",
    "CI", "C[Si](C)(C)Cl", "OB(O)c1ccccc1", "CCCC[Sn](CCCC)(CCCC)Cl", "C[Hg]C", "O=[Mn](=O)(=O)[O-]",
    "Cl[Pd](Cl)(<-P)<-P", "[Fe+2].[cH-]1cccc1.[cH-]1cccc1", "[CH3]", "C[CH2+]", "[CH2-]C#N", "[O-]C#N",
    "[C-]#[O+]", "[H][H]", "O=C1C=CC(=O)C=C1", "CC1(C)[C@@H]2CC[C@@]1(C)C(=O)C2", "C1[C@@H]2CC[C@H]1CC2",
    "OC(=O)CC(O)(CC(=O)O)C(=O)O",
)  # fmt: skip

STEREO: tuple[str, ...] = (
    "CC(=O)O[C@H]1C[C@@H]2CC[C@H]1C2", "C[C@@H]1CC[C@H]2C(C)(C)[C@H]3C[C@@]12CC=C3C",
    "CC1=C2[C@@H](OC(C)=O)C(=O)[C@@]3(C)[C@@H](O)C[C@H]4OC[C@@]4(OC(C)=O)[C@H]3[C@H](OC(=O)c3ccccc3)"
    "[C@](O)(C[C@@H]1OC(=O)[C@H](O)[C@@H](NC(=O)c1ccccc1)c1ccccc1)C2(C)C",
    "C[C@H]1O[C@@H](O[C@H]2CC[C@]3(C)[C@H]4CC[C@]5(C)[C@@H](C6=CC(=O)OC6)CC[C@]5(O)[C@@H]4CC[C@@H]3C2)"
    "C[C@H](O)[C@@H]1O",
    "CN1[C@H]2CC[C@@H]1[C@@H](C(=O)OC)[C@@H](OC(=O)c1ccccc1)C2",
    "C=C[C@H]1CN2CC[C@H]1C[C@H]2[C@H](O)c1ccnc2ccc(OC)cc12",
    "O=C1C[C@@H]2OCC=C3CN4CC[C@]56[C@@H]4C[C@H]3[C@H]2[C@H]6N1c1ccccc15", "CC(C)=CCC/C(C)=C\\CO",
    "CC(/C=C/C=C(C)/C=C/C1=C(C)CCCC1(C)C)=C\\C=O", "CC/C=C\\C/C=C\\C/C=C\\CCCCCCCC(=O)O",
    "CCCCC[C@H](O)/C=C/[C@H]1[C@H](O)CC(=O)[C@@H]1C/C=C\\CCCC(=O)O", "C/C=C/C(=O)/C=C\\C", "C/C(Cl)=C(/C)Br",
    "N/N=C(/C)c1ccccc1", "CCO/N=C(\\C(=O)O)c1csc(N)n1", "CC(C)[C@H]1CC[C@@H](C)C[C@@H]1O",
    "O[C@H]1[C@H](O)[C@@H](O)[C@H](O)[C@H](O)[C@H]1O", "C[C@H]1C[C@@H](C)C[C@@H](C)C1", "C[C@@H]1C[C@H](C)C1",
    "C[C@H](O)[C@H](O)[C@@H](C)O", "O[C@@H]1C=C[C@H](O)C1", "C1C[C@H]2CC[C@@H]1CC2", "F[C@@H](Cl)Br",
    "C[S@](=O)c1ccc(C)cc1", "CC[P@](C)c1ccccc1", "CC[N@+](C)(CC=C)Cc1ccccc1", "C[Si@](F)(CC)c1ccccc1",
    "N[C@@H](CSSC[C@H](N)C(=O)O)C(=O)O", "C[C@H](N)C(=O)N[C@@H](C)C(=O)N[C@@H](CO)C(=O)O",
    "C[C@]12CC[C@H](C1)C(C)(C)[C@@H]2O", "[2H][C@H](C)O", "[2H][C@@H](O)c1ccccc1", "C/C=C/[C@@H](O)/C=C\\C",
    "C[C@H](O)/C=C/[C@@H](C)O", "OC[C@H](O)[C@@H](O)[C@H](O)[C@H](O)CO", "C[C@@H](Br)[C@H](C)Br",
    "O=C1O[C@@H]([C@@H](O)CO)C(O)=C1O", "CC1(C)O[C@@H]2CO[C@@]3(CO)OC(C)(C)O[C@H]3[C@@H]2O1",
)  # fmt: skip
"""Natural products, drugs and small molecules with stereo of every kind, meso forms among them."""
