"""Soft ground: soils, and the laws of wheels in them."""

from __future__ import annotations

SOILS = {
    "bekker": "axletree.library.soils.soil:Soil",
    "dry-sand-lll": "axletree.library.soils.listed:DrySandLll",
    "sandy-loam-lll-15": "axletree.library.soils.listed:SandyLoamLll15",
    "sandy-loam-lll-22": "axletree.library.soils.listed:SandyLoamLll22",
    "sandy-loam-michigan-11": "axletree.library.soils.listed:SandyLoamMichigan11",
    "sandy-loam-michigan-23": "axletree.library.soils.listed:SandyLoamMichigan23",
    "sandy-loam-hanamoto-26": "axletree.library.soils.listed:SandyLoamHanamoto26",
    "sandy-loam-hanamoto-32": "axletree.library.soils.listed:SandyLoamHanamoto32",
    "clayey-soil-thailand-38": "axletree.library.soils.listed:ClayeySoilThailand38",
    "clayey-soil-thailand-55": "axletree.library.soils.listed:ClayeySoilThailand55",
    "heavy-clay-wes-25": "axletree.library.soils.listed:HeavyClayWes25",
    "heavy-clay-wes-40": "axletree.library.soils.listed:HeavyClayWes40",
    "lean-clay-wes-22": "axletree.library.soils.listed:LeanClayWes22",
    "lean-clay-wes-32": "axletree.library.soils.listed:LeanClayWes32",
    "lete-sand-wong": "axletree.library.soils.listed:LeteSandWong",
    "upland-sandy-loam-wong": "axletree.library.soils.listed:UplandSandyLoamWong",
    "rubicon-sandy-loam-wong": "axletree.library.soils.listed:RubiconSandyLoamWong",
    "north-gower-clayey-loam-wong": "axletree.library.soils.listed:NorthGowerClayeyLoamWong",
    "grenville-loam-wong": "axletree.library.soils.listed:GrenvilleLoamWong",
    "snow-us": "axletree.library.soils.listed:SnowUs",
    "snow-us-harrison": "axletree.library.soils.listed:SnowUsHarrison",
    "snow-sweden": "axletree.library.soils.listed:SnowSweden",
    "mars-simulant-dlr": "axletree.library.soils.listed:MarsSimulantDlr",
    "lunar-nominal": "axletree.library.soils.listed:LunarNominal",
}

CONE_INDEX_LAWS = {
    "brixius": "axletree.library.soils.brixius:Brixius",
    "wismer-luth": "axletree.library.soils.wismer_luth:WismerLuth",
}

SOIL_LAWS = {
    "wong-reece": "axletree.library.soils.wong_reece:WongReece",
    **CONE_INDEX_LAWS,
    "paved": "axletree.library.soils.paved:Paved",
    "border": "axletree.library.soils.border:Border",
    "soil-map": "axletree.library.soils.soil_map:SoilMap",
}

SOIL_PATCHES = {
    "rectangle": "axletree.library.soils.soil_patch:SoilPatch",
}

SOIL_SUPPORTS = {
    "own": "axletree.library.soils.stress_support:OwnSupport",
    "underneath": "axletree.library.soils.stress_support:SoilUnderneath",
    "given": "axletree.library.soils.given_load:GivenLoad",
    "linear": "axletree.library.soils.yielding_ground:YieldingGround",
}

TRACTION_SCHEMES = {
    "set-valued": "axletree.library.soils.traction_schemes:SetValuedTraction",
    "global": "axletree.library.soils.traction_schemes:GlobalRegularisation",
    "local": "axletree.library.soils.traction_schemes:LocalRegularisation",
    "dissipative": "axletree.library.soils.traction_schemes:DissipativeTraction",
}
